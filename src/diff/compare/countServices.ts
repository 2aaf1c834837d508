import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Finding } from '../../findings/finding.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { hasLines, linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { targetName } from '../../node/rulesOf.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { DiffSummary } from '../../report/diffReport.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { servicesByLine } from '../../seen/names/servicesByLine.ts';
import { servicesIn } from '../../seen/names/servicesIn.ts';
import { servicesInFragment } from '../../seen/names/servicesInFragment.ts';
import { unknownServices } from './unknownServices.ts';

interface Shown {
  /** `ns/name`: the only Service that was asked for. */
  readonly only: string | undefined;
  /** The dump's rules of families that are compared. */
  readonly families: readonly ToolRules[];
  /** Services that were not compared because nothing shows which Node the dump comes from. */
  readonly notCompared: readonly string[];
}

/** What became of the Services in the manifests: if a dump cannot show a Service, the Service never counts as equal. */
export function countServices(
  { plans, model }: Compiled,
  findings: readonly Finding[],
  { only, families, notCompared: ofNode }: Shown,
): Omit<DiffSummary, 'staleChains' | 'foreignRules'> {
  const known = new Set<string>();
  const shown = new Set<string>();
  for (const { family, services } of plans) {
    const sets = families.filter((set) => set.family === family);
    if (sets.length === 0) continue;
    const named = modeFacts[model.config.mode].namesServicesInFilter ? namedWithoutNat(sets) : undefined;
    for (const { port } of services) {
      const name = `${port.namespace}/${port.name}`;
      known.add(name);
      if (named === undefined || named.has(name)) shown.add(name);
    }
  }
  for (const name of ofNode) shown.delete(name);
  const inFragment = servicesInFragment(families);
  // A paste of some Services' lines asks only about these.
  const isAsked = (name: string) => (only ?? name) === name && (!inFragment?.size || inFragment.has(name));
  const names = new Set([...known].filter(isAsked));
  const { missing, differ } = wrongServices(findings, names);
  const isCompared = (name: string) => shown.has(name) || missing.has(name) || differ.has(name);
  const notCompared = [...names].filter((name) => !isCompared(name)).length;
  return {
    services: names.size,
    same: names.size - missing.size - differ.size - notCompared,
    missing: missing.size,
    differ: differ.size,
    ...(notCompared > 0 && { notCompared }),
    extra: unknownServices(findings, known),
  };
}

/**
 * The Services that rules name, if the nat table, which leads to all of them, was not dumped whole; without those whose
 * chains are missing. Undefined: it was dumped whole.
 */
function namedWithoutNat(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  if (sets.some(({ kind, tables }) => kind !== 'iptables' || tables.get('nat')?.isWhole)) return undefined;
  const named = new Set(servicesIn(sets));
  for (const { tables } of sets) for (const name of cutOff(tables.get('nat'))) named.delete(name);
  return named;
}

/** Services whose chains have no rules in a table. */
function cutOff(nat: RuleTable | undefined): readonly string[] {
  const entrances = nat?.chains.get('KUBE-SERVICES');
  const services = servicesByLine(entrances);
  const isCutOff = (line: string) => {
    const chain = targetName(line);
    return isServiceChain(chain) && !hasLines(nat?.chains.get(chain));
  };
  return linesOf(entrances).flatMap((line, at) => (isCutOff(line) ? (services[at] as string) : []));
}

/** Those of some Services that findings call missing, and those that findings call different. */
function wrongServices(findings: readonly Finding[], names: ReadonlySet<string>) {
  const missing = new Set<string>();
  const differ = new Set<string>();
  for (const { service, services = [], isServiceMissing, isAdvice, severity } of findings) {
    if (isAdvice || severity === 'info') continue;
    for (const one of service === undefined ? services : [service]) {
      const name = serviceOfPort(one);
      if (names.has(name)) (isServiceMissing ? missing : differ).add(name);
    }
  }
  for (const name of missing) differ.delete(name);
  return { missing, differ };
}
