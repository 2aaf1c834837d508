import type { Report } from '../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { Loaded } from '../load/loaded.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { FieldValidation } from '../validate/fields/fieldValidation.ts';
import type { KnownKind } from '../validate/kinds/kinds.ts';
import type { KubeProxyConfigurationObject } from '../validate/kinds/kubeProxyConfigurationObject.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import type { ReadingProxy } from '../validate/readingProxy.ts';
import type { SoundObjects } from '../validate/soundObjects.ts';
import { validate } from '../validate/validate.ts';
import { validateProxyConfiguration } from '../validate/validateProxyConfiguration.ts';
import { checking } from './checking.ts';
import { readingProxy } from './read/readingProxy.ts';

/** Objects that were read, a KubeProxyConfiguration that was read, and the target. */
export interface ObjectInput {
  readonly objects: Loaded['objects'];
  /** Of `--config`; empty: none. */
  readonly configObjects: Loaded['objects'];
  readonly target: TargetOptions;
  /** Undefined: the version in the Node, otherwise the newest known one. */
  readonly kubeVersion: KubeVersion | undefined;
  /** Default: warn. */
  readonly unknownFields?: FieldValidation | undefined;
  /** Kinds that are read besides those of rules. */
  readonly beside?: readonly KnownKind[];
  /** What earlier checks with the same options found sound. */
  readonly sound?: SoundObjects | undefined;
}

/** Objects that have no errors, and kube-proxy's configuration among them. */
export interface Checked {
  readonly manifests: Manifests;
  readonly config: KubeProxyConfigurationObject;
}

/** The first half of the line, which does not depend on the node. */
export function checkObjects(input: ObjectInput, report: Report): Checked | undefined {
  const { hasErrors, ...checked } = soundObjects(input, report);
  return hasErrors ? undefined : checked;
}

/** The same, which goes on with the objects that have no errors. */
export function soundObjects(input: ObjectInput, report: Report): Checked & { readonly hasErrors: boolean } {
  const checked = checking(report);
  const proxy = readingProxy(input.target, input.kubeVersion);
  const { manifests, config: ownConfig } = validate(input.objects, checked.report, {
    proxy,
    unknownFields: input.unknownFields,
    nodePortRange: input.target.nodePortRange,
    sound: input.sound,
    ...(input.beside && { beside: input.beside }),
  });
  const config = proxyConfiguration(input, proxy, checked.report) ?? ownConfig?.value ?? {};
  return { manifests, config, hasErrors: checked.hasErrors() };
}

/** The settings of `--config`, which win over a KubeProxyConfiguration among the manifests. */
function proxyConfiguration(
  input: ObjectInput,
  proxy: ReadingProxy,
  report: Report,
): KubeProxyConfigurationObject | undefined {
  const checked = input.configObjects.map((object) =>
    validateProxyConfiguration(object, proxy, report, input.unknownFields),
  );
  return checked.find((config) => config !== undefined)?.value;
}
