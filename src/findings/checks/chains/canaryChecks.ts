import { findFirst } from '../../../common/findFirst.ts';
import { isIpvsChain } from '../../../netfilter/proxyChains.ts';
import { chainPlace, linesOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { targetName } from '../../../node/rulesOf.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** K8N208: if one table has the canary, kube-proxy made it in all of them; IPVS mode makes none. */
export function* canaryChecks(set: ToolRules): Iterable<DumpFinding> {
  const tables = [...set.tables.values()].filter(
    ({ name, isWhole }) => isWhole && name !== 'raw' && name !== 'security',
  );
  const own = tables.filter(({ name, chains }) => name === 'mangle' || chains.has('KUBE-SERVICES'));
  const without = own.filter(({ chains }) => !chains.has(canary));
  if (without.length === 0) return;
  const hasMangle = tables.some(({ name }) => name === 'mangle');
  const hasAny = own.length > without.length;
  if (
    !hasAny &&
    findFirst(
      own.flatMap(({ chains }) => [...chains.keys()]),
      isIpvsChain,
    ) !== undefined
  )
    return;
  // If no table has one, and the table that only holds it does not exist, the version may be too old for it.
  if (!hasAny && !hasMangle) return;
  if (!own.some(({ chains }) => chains.has('KUBE-SERVICES'))) return;
  const isOld = !hasAny && !isSince119(set);
  yield {
    finding: makeFinding('K8N208', {
      what: `no chain ${canary} in the table ${without.map(({ name }) => name).join(', ')}`,
      ...(isOld && { severity: 'info' as const, isAdvice: true }),
      found: without.flatMap(({ chains }) => [...chains.values()].slice(0, 1).flatMap(chainPlace)),
    }),
  };
}

/** KUBE-POSTROUTING got its three rules after the canary was introduced. */
function isSince119(set: ToolRules): boolean {
  const lines = linesOf(set.tables.get('nat')?.chains.get('KUBE-POSTROUTING')) ?? [];
  return lines.some((line) => targetName(line) === 'RETURN');
}

const canary = 'KUBE-PROXY-CANARY';
