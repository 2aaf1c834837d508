import { parseCidr } from '../common/addresses/cidr.ts';
import type { Diagnostic, Origin, Report } from '../diagnostics/diagnostic.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { Cluster } from '../model/cluster.ts';
import type { CertificateReading } from '../objects/kinds/certificate.ts';
import { kindsNotFollowed } from '../objects/kinds/gatewayRoutes.ts';
import { removedApis } from '../objects/kinds/removedApis.ts';
import { startsPods } from '../objects/kinds/startsPods.ts';
import { workloadSelectors } from '../objects/kinds/workloadSelectors.ts';
import { lintCluster } from '../objects/lintCluster.ts';
import { noneRefused, type Refused } from '../objects/refused.ts';
import { sharedAddresses } from '../objects/services/sharedAddresses.ts';
import type { DiagnosticCode } from '../problems/problemCode.ts';
import { resolveCluster } from '../resolve/resolveCluster.ts';
import { kindsBesideRules } from '../validate/kinds/kindsBesideRules.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import { soundObjects } from './checkObjects.ts';
import { type Compiled, type CompileInput, compileChecked } from './compile.ts';
import type { CompileOptions } from './compileInput.ts';

/** Options of linting. */
export interface LintOptions extends CompileOptions {
  /** The network plug-in of the cluster, `flannel` or `calico`: some things work with one and not with another. */
  readonly cni?: string | undefined;
  /** Reads certificates from Secrets; without it they are ignored. */
  readonly certificates?: CertificateReading | undefined;
}

/**
 * All diagnostics about manifests: those of a compile run, then, for objects without errors, what goes wrong although
 * the API server accepts it. Ingresses are read too. Nothing is returned if an object has an error; the others are
 * still reported as far as possible without it.
 */
export function lint(input: CompileInput, options: LintingOptions, report: Report): Compiled | undefined {
  return lintObjects(input, options, report)?.compiled;
}

type LintingOptions = Pick<LintOptions, 'cni' | 'certificates'>;

/** Kinds that give no rules, and are checked all the same. */
const besideRules: ReadonlySet<string> = new Set(['Ingress', 'Secret']);

/** What linting makes of objects without errors, for further checks. */
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
  const checked = soundObjects(reading, hold);
  const refused = checked.hasErrors ? refusedIn(input, checked.manifests) : noneRefused;
  const compiled = compileChecked(checked, reading, (one) => refused.mayExplain.has(one.code) || hold(one));
  let cluster: Cluster | undefined;
  if (compiled !== undefined) {
    const { target } = input;
    // Allocations and assumptions were reported above.
    cluster = resolveCluster(checked.manifests, target, compiled.kubeVersion, () => undefined);
    const serviceCIDRs = compiled.model.serviceCIDRs.map(parseCidr).filter((cidr) => cidr !== undefined);
    const clusterCIDRs = compiled.model.config.clusterCIDRs.map(parseCidr).filter((cidr) => cidr !== undefined);
    const settings = { serviceCIDRs, clusterCIDRs, cni, certificates, unseen: unseenIn(input.objects), refused };
    lintCluster(cluster, settings, input.objects, hold);
    for (const { what, service, places } of sharedAddresses(compiled.model.servicePorts)) {
      hold({ code: 'address-claimed-twice', severity: 'warning', message: `Service ${service}: ${what}`, at: places });
    }
  }
  for (const diagnostic of withoutDoubles(held)) report(diagnostic);
  return compiled && cluster && !checked.hasErrors ? { compiled, cluster } : undefined;
}

/** Represents an object with errors: nothing is reported as missing in its place. */
function refusedIn({ objects, configObjects }: CompileInput, sound: Manifests): Refused {
  const lists: readonly (readonly { readonly origin: Origin }[])[] = Object.values(sound);
  const kept = new Set(lists.flatMap((list) => list.map(({ origin }) => origin)));
  const left = [...objects, ...configObjects].filter(({ origin }) => !kept.has(origin));
  const namespacesWith = (isMeant: (kind: string) => boolean) =>
    new Set(left.filter(({ kind }) => isMeant(kind)).map(namespaceOf));
  return {
    services: namespacesWith((kind) => kind === 'Service'),
    others: namespacesWith((kind) => kind !== 'Service'),
    hasNamespace: left.some(({ kind }) => kind === 'Namespace'),
    mayExplain: saidOfAWholeInput,
  };
}

/** Messages that an object with an error might have changed: about missing and about filled-in values. */
const saidOfAWholeInput: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'no-endpoints',
  'node-unknown',
  'node-not-chosen',
  'allocated-cluster-ip',
  'allocated-node-port',
  'allocated-health-check-port',
  'assumed-pods',
]);

/** Namespaces that hold more than is read. */
function unseenIn(objects: CompileInput['objects']): ReadonlySet<string> {
  const starting = objects.filter(({ apiVersion, kind }) => startsPods(apiVersion, kind));
  return new Set(starting.map(namespaceOf));
}

function namespaceOf({ value }: CompileInput['objects'][number]): string {
  const { namespace } = (value.metadata ?? {}) as { readonly namespace?: unknown };
  return typeof namespace === 'string' && namespace !== '' ? namespace : 'default';
}

/** For a Service without endpoints, the reason is enough if it is known. */
function withoutDoubles(held: readonly Diagnostic[]): readonly Diagnostic[] {
  const key = ({ at }: Diagnostic) => JSON.stringify([at[0]?.file, at[0]?.document, at[0]?.path.slice(0, -2)]);
  const explained = new Set(held.filter(({ code }) => code === 'selector-matches-nothing').map(key));
  return held.filter(({ code, at }) => {
    if (code !== 'no-endpoints') return true;
    return !explained.has(JSON.stringify([at[0]?.file, at[0]?.document, at[0]?.path]));
  });
}
