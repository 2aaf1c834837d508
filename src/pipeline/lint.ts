import { parseCidr } from '../common/cidr.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { CertificateReading } from '../lint/certificate.ts';
import { kindsNotFollowed } from '../lint/gatewayRoutes.ts';
import { lintCluster } from '../lint/lintCluster.ts';
import { removedApis } from '../lint/removedApis.ts';
import { startsPods } from '../lint/startsPods.ts';
import { workloadSelectors } from '../lint/workloadSelectors.ts';
import type { Cluster } from '../model/cluster.ts';
import { resolveCluster } from '../resolve/resolveCluster.ts';
import { kindsBesideRules } from '../validate/kindsBesideRules.ts';
import { type Compiled, type CompileInput, checkObjects, compileChecked } from './compile.ts';
import type { CompileOptions } from './compileInput.ts';

/** What linting takes beside the objects. */
export interface LintOptions extends CompileOptions {
  /** The network plugin of the cluster, `flannel` or `calico`: some things work with one and not with another. */
  readonly cni?: string | undefined;
  /** How certificates of Secrets are read; without it they are left alone. */
  readonly certificates?: CertificateReading | undefined;
}

/**
 * All that is to be said of manifests: what a compile run says, then, of objects without errors, what goes wrong although
 * the API server takes it. Ingresses are read too.
 */
export function lint(input: CompileInput, options: LintingOptions, report: Report): Compiled | undefined {
  return lintObjects(input, options, report)?.compiled;
}

type LintingOptions = Pick<LintOptions, 'cni' | 'certificates'>;

/** Kinds that give no rules, and are checked all the same. */
const besideRules: ReadonlySet<string> = new Set(['Ingress', 'Secret']);

/** What linting makes of objects without errors, for who looks further. */
export interface LintedObjects {
  readonly compiled: Compiled;
  readonly cluster: Cluster;
}

export function lintObjects(input: CompileInput, options: LintingOptions, report: Report): LintedObjects | undefined {
  const { cni, certificates } = options;
  const held: Diagnostic[] = [];
  const hold: Report = (diagnostic) => held.push(diagnostic);
  removedApis(input.objects, input.kubeVersion, newestVersion(), hold);
  workloadSelectors(input.objects, hold);
  kindsNotFollowed(input.objects, hold);
  const reading = { ...input, beside: kindsBesideRules.filter(({ kind }) => besideRules.has(kind)) };
  const checked = checkObjects(reading, hold);
  const compiled = checked && compileChecked(checked, reading, hold);
  let cluster: Cluster | undefined;
  if (checked !== undefined && compiled !== undefined) {
    const { target } = input;
    // What is allocated and assumed was said above.
    cluster = resolveCluster(checked.manifests, target, compiled.kubeVersion, () => undefined);
    const serviceCIDRs = compiled.model.serviceCIDRs.map(parseCidr).filter((cidr) => cidr !== undefined);
    const clusterCIDRs = compiled.model.config.clusterCIDRs.map(parseCidr).filter((cidr) => cidr !== undefined);
    const settings = { serviceCIDRs, clusterCIDRs, cni, certificates, unseen: unseenIn(input.objects) };
    lintCluster(cluster, settings, input.objects, hold);
  }
  for (const diagnostic of withoutDoubles(held)) report(diagnostic);
  return compiled && cluster && { compiled, cluster };
}

/** Namespaces that hold more than is read. */
function unseenIn(objects: CompileInput['objects']): ReadonlySet<string> {
  const starting = objects.filter(({ apiVersion, kind }) => startsPods(apiVersion, kind));
  return new Set(
    starting.map(({ value }) => {
      const { namespace } = (value.metadata ?? {}) as { readonly namespace?: unknown };
      return typeof namespace === 'string' && namespace !== '' ? namespace : 'default';
    }),
  );
}

/** Of a Service without endpoints the reason is enough, where it is known. */
function withoutDoubles(held: readonly Diagnostic[]): readonly Diagnostic[] {
  const key = ({ at }: Diagnostic) => JSON.stringify([at[0]?.file, at[0]?.document, at[0]?.path.slice(0, -2)]);
  const explained = new Set(held.filter(({ code }) => code === 'selector-matches-nothing').map(key));
  return held.filter(({ code, at }) => {
    if (code !== 'no-endpoints') return true;
    return !explained.has(JSON.stringify([at[0]?.file, at[0]?.document, at[0]?.path]));
  });
}
