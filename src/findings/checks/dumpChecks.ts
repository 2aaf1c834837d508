import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { backendChecks } from './chains/backendChecks.ts';
import { baseChainChecks } from './chains/baseChainChecks.ts';
import { chainChecks } from './chains/chainChecks.ts';
import { cutChecks } from './chains/cutChecks.ts';
import { dropMarkChecks } from './chains/dropMarkChecks.ts';
import { flushedChecks } from './chains/flushedChecks.ts';
import { ladderChecks } from './chains/ladderChecks.ts';
import { markChecks } from './chains/markChecks.ts';
import { nftablesChecks } from './chains/nftablesChecks.ts';
import { shadowChecks } from './chains/shadowChecks.ts';
import { tableChecks } from './chains/tableChecks.ts';
import { type CheckScope, wholeDump } from './checkScope.ts';
import type { DumpFinding } from './dumpFinding.ts';
import { foreignChecks } from './foreign/foreignChecks.ts';
import { reachChecks } from './foreign/reachChecks.ts';
import { refusedChecks } from './foreign/refusedChecks.ts';
import { podMasqueradeChecks } from './node/podMasqueradeChecks.ts';
import { hostPortChecks } from './services/hostPortChecks.ts';

/** All checks of a dump that need no manifests, ordered by the hundreds of their ids. */
export function dumpChecks(dump: NodeRules, scope: CheckScope = wholeDump): readonly DumpFinding[] {
  const sets = dump.iptables;
  const each = (check: (set: ToolRules, scope: CheckScope) => Iterable<DumpFinding>) =>
    sets.flatMap((set) => [...check(set, scope)]);
  return [
    ...cutChecks(dump),
    ...backendChecks(dump),
    ...tableChecks(dump),
    ...each(chainChecks),
    ...each(flushedChecks),
    ...each(shadowChecks),
    ...each(ladderChecks),
    ...each(markChecks),
    ...each(dropMarkChecks),
    ...each(podMasqueradeChecks),
    ...each(reachChecks),
    ...each(foreignChecks),
    ...hostPortChecks(dump),
    ...baseChainChecks(dump),
    ...nftablesChecks(dump, scope),
    ...(scope.isAlone ? refusedChecks(dump) : []),
  ];
}
