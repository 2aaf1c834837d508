import type { NftCommand } from '../../netfilter/nft/command.ts';
import { jump, matches, type ProxyTable } from './table.ts';

/** The hooks and the jumps from them. */
export function* emitBaseChains(table: ProxyTable): Generator<NftCommand> {
  const { hooks, remakesBaseChains } = table.dialect;
  if (remakesBaseChains) {
    for (const { name } of hooks.baseChains) {
      yield table.addChain(name);
      yield table.deleteChain(name);
    }
  }
  for (const { name, type, hook, priority } of hooks.baseChains) {
    yield table.addChain(name, { base: { type, hook, priority } });
    yield table.flushChain(name);
  }
  const ensured = new Set<string>();
  for (const { from, to, onlyNew } of hooks.jumps) {
    if (!ensured.has(to)) {
      ensured.add(to);
      yield* table.ensureChain(to);
    }
    yield table.addRule(from, onlyNew ? [matches({ kind: 'ct', key: 'state' }, 'new'), jump(to)] : [jump(to)]);
  }
}
