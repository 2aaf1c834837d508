import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { backendChecks } from './backendChecks.ts';
import { baseChainChecks } from './baseChainChecks.ts';
import { chainChecks } from './chainChecks.ts';
import { type CheckScope, wholeDump } from './checkScope.ts';
import { cutChecks } from './cutChecks.ts';
import { dropMarkChecks } from './dropMarkChecks.ts';
import type { DumpFinding } from './dumpFinding.ts';
import { flushedChecks } from './flushedChecks.ts';
import { foreignChecks } from './foreignChecks.ts';
import { hostPortChecks } from './hostPortChecks.ts';
import { ladderChecks } from './ladderChecks.ts';
import { markChecks } from './markChecks.ts';
import { nftablesChecks } from './nftablesChecks.ts';
import { podMasqueradeChecks } from './podMasqueradeChecks.ts';
import { reachChecks } from './reachChecks.ts';
import { refusedChecks } from './refusedChecks.ts';
import { shadowChecks } from './shadowChecks.ts';
import { tableChecks } from './tableChecks.ts';

/** Every check of a dump that needs no manifests, in the order of their ids' hundreds. */
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
