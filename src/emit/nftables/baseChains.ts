import type { BaseChain, Statement } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import { chains } from './chainNames.ts';
import { jump, matches, type ProxyTable } from './table.ts';

/** The hooks and the jumps from them. */
export function* emitBaseChains(table: ProxyTable): Generator<NftCommand> {
  // Only a process's first transaction does this: priorities and hooks of an existing chain cannot be changed.
  for (const { name } of baseChains) {
    yield table.addChain(name);
    yield table.deleteChain(name);
  }
  for (const { name, base } of baseChains) {
    yield table.addChain(name, { base });
    yield table.flushChain(name);
  }
  const ensured = new Set<string>();
  for (const { from, to, isForNew } of jumps) {
    if (!ensured.has(to)) {
      ensured.add(to);
      yield* table.ensureChain(to);
    }
    yield table.addRule(from, isForNew ? [isNew, jump(to)] : [jump(to)]);
  }
  yield* table.ensureChain(chains.markForMasquerade);
}

const isNew: Statement = matches({ kind: 'ct', key: 'state' }, 'new');

/** Filtering stands right before the DNAT of its hook; what must see the new destination right after it. */
const baseChains: readonly { readonly name: string; readonly base: BaseChain }[] = [
  { name: chains.filterPrerouting, base: { type: 'filter', hook: 'prerouting', priority: -110 } },
  { name: chains.filterInput, base: { type: 'filter', hook: 'input', priority: -110 } },
  { name: chains.filterForward, base: { type: 'filter', hook: 'forward', priority: -110 } },
  { name: chains.filterOutput, base: { type: 'filter', hook: 'output', priority: -110 } },
  { name: chains.filterOutputPostDnat, base: { type: 'filter', hook: 'output', priority: -90 } },
  { name: chains.natPrerouting, base: { type: 'nat', hook: 'prerouting', priority: -100 } },
  { name: chains.natOutput, base: { type: 'nat', hook: 'output', priority: -100 } },
  { name: chains.natPostrouting, base: { type: 'nat', hook: 'postrouting', priority: 100 } },
];

const jumps: readonly { readonly from: string; readonly to: string; readonly isForNew: boolean }[] = [
  { from: chains.filterInput, to: chains.nodePortEndpointsCheck, isForNew: true },
  { from: chains.filterInput, to: chains.serviceEndpointsCheck, isForNew: true },
  { from: chains.filterForward, to: chains.serviceEndpointsCheck, isForNew: true },
  { from: chains.filterOutput, to: chains.serviceEndpointsCheck, isForNew: true },
  { from: chains.filterPrerouting, to: chains.firewallCheck, isForNew: true },
  { from: chains.filterOutput, to: chains.firewallCheck, isForNew: true },
  { from: chains.natOutput, to: chains.services, isForNew: false },
  { from: chains.natPrerouting, to: chains.services, isForNew: false },
  { from: chains.natPostrouting, to: chains.masquerading, isForNew: false },
  { from: chains.filterForward, to: chains.clusterIPsCheck, isForNew: true },
  { from: chains.filterOutputPostDnat, to: chains.clusterIPsCheck, isForNew: true },
];
