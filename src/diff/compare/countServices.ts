import type { Finding } from '../../findings/finding.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { DiffSummary } from '../../report/diffReport.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { servicesInFragment } from '../../seen/names/servicesInFragment.ts';
import { servicesInPart } from './servicesInPart.ts';
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
): Omit<DiffSummary, 'staleChains' | 'foreignRules' | 'notShown'> {
  const known = new Set<string>();
  const shown = new Set<string>();
  for (const { family, services } of plans) {
    const sets = families.filter((set) => set.family === family);
    if (sets.length === 0) continue;
    const inPart = servicesInPart(model.config.mode, sets);
    for (const { port } of services) {
      const name = `${port.namespace}/${port.name}`;
      known.add(name);
      if (inPart === undefined || inPart.has(name)) shown.add(name);
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
