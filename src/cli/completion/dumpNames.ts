import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import type { Noted } from './commandTable.ts';
import type { NameKind } from './valueKinds.ts';

/** Names of chains and Services that dumps show. */
export async function dumpNames(kinds: readonly NameKind[], paths: readonly string[]): Promise<readonly Noted[]> {
  const dump = await readDump(paths);
  return dump === undefined ? [] : kinds.flatMap((kind) => namesOfDump(kind, dump));
}

async function readDump(paths: readonly string[]): Promise<NodeRules | undefined> {
  try {
    return await readNodeDump(
      paths,
      { family: undefined, isCompared: false },
      { report: () => {}, flush: async () => {} },
    );
  } catch {
    return undefined;
  }
}

function namesOfDump(kind: NameKind, dump: NodeRules): readonly Noted[] {
  if (kind === 'chain') {
    const chains = everyTool(dump).flatMap(({ tables }) =>
      [...tables.values()].flatMap((table) => [...table.chains.keys()]),
    );
    return chains.map((name): Noted => [name, 'chain']);
  }
  if (kind !== 'service' && kind !== 'typedService') return [];
  const services = [...proxySeen(dump).names];
  return services.map((id): Noted => [kind === 'service' ? id : `svc/${id}`, 'Service']);
}
