import type { Report } from '../diagnostics/diagnostic.ts';
import { type KubeVersion, parseKubeVersion } from '../dialect/version.ts';
import type { Loaded } from '../load/loaded.ts';
import type { SearchEndpoints } from '../node/chains/endpointSearch.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { FieldValidation } from '../validate/fields/fieldValidation.ts';
import type { CompileInput } from './compile.ts';
import type { Sharing } from './sharing.ts';

/** Options of a compile run. */
export interface CompileOptions extends TargetOptions {
  /** Version of kube-proxy, `1.30` or `v1.33.6`; default: that of the Node, otherwise the newest known. */
  readonly kubeVersion?: string | KubeVersion | undefined;
  /** Objects of a file given as `--config`: a KubeProxyConfiguration or the ConfigMap that holds one. */
  readonly configObjects?: Loaded['objects'];
  /** Whether unknown fields are ignored, reported as warnings (the default) or refused. */
  readonly unknownFields?: FieldValidation | undefined;
  /** Names the node where neither `node` nor the configuration does. */
  readonly chooseNode?: CompileInput['chooseNode'];
  /** What runs for several nodes of one cluster share. */
  readonly sharing?: Sharing | undefined;
  /** Looks for chains of endpoints in the compared dump, in parallel. */
  readonly search?: SearchEndpoints | undefined;
}

/** Brings objects and options into the form of the pipeline. Undefined: the version is invalid, which was reported. */
export function compileInput(
  objects: Loaded['objects'],
  { kubeVersion, configObjects = [], unknownFields, chooseNode, sharing, search, ...target }: CompileOptions,
  report: Report,
): CompileInput | undefined {
  const version = versionOf(kubeVersion);
  if (kubeVersion !== undefined && version === undefined) {
    const message = `not a version of kube-proxy: ${String(kubeVersion)}`;
    report({ code: 'bad-option', severity: 'error', message, at: [], hint: 'versions look like 1.30 or v1.33.6' });
    return undefined;
  }
  return { objects, configObjects, target, kubeVersion: version, unknownFields, chooseNode, sharing, search };
}

/** A version as programs give it: as text, or parsed. Undefined: none, or the text is invalid. */
export function versionOf(given: string | KubeVersion | undefined): KubeVersion | undefined {
  return typeof given === 'string' ? parseKubeVersion(given) : given;
}
