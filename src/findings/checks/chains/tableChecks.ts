import type { NodeRules } from '../../../node/nodeRules.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** K8N107: tables that somebody left out of whole dumps, one finding for each. */
export function* tableChecks({ iptables }: NodeRules): Iterable<DumpFinding> {
  const own = iptables.filter(({ tables }) =>
    [...tables.values()].some((table) => table.isWhole && table.chains.has('KUBE-SERVICES')),
  );
  for (const name of ['nat', 'filter']) {
    const lacking = own.filter(({ tables }) => !tables.has(name)).map(({ family }) => family);
    if (lacking.length === 0) continue;
    const families = [...new Set(lacking)].sort().join(' and ');
    const seen = `the table ${name} of ${families} is not in the dump`;
    yield { finding: makeFinding('K8N107', { what: seen }) };
  }
}
