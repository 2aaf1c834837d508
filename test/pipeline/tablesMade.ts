import assert from 'node:assert/strict';
import type { NodeRules, RuleTable } from '../../src/node/nodeRules.ts';
import { rulesOf } from '../../src/public/core.ts';
import { orThrow } from '../../src/public/result.ts';
import { compileFiles } from '../support/compileCase.ts';

/** Compiles manifests, and gives the tables of one tool each time anew: whole, or made on request. */
export async function tablesMade(
  file: string,
  flags: readonly string[],
  tool: 'iptables' | 'nft',
): Promise<(isOnDemand: boolean) => Promise<readonly RuleTable[]>> {
  const { compiled } = await compileFiles([file], flags);
  assert.ok(compiled, file);
  const tablesOf = (node: NodeRules) => node[tool].flatMap(({ tables }) => [...tables.values()]);
  return async (isOnDemand) => tablesOf(await orThrow(rulesOf(compiled, { isOnDemand })));
}
