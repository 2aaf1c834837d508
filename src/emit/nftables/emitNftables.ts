import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { Plan } from '../../plan/plan.ts';
import { emitServicePort } from './servicePort.ts';
import { emitSkeleton } from './skeleton.ts';
import { proxyTable } from './table.ts';

/**
 * Lowers a plan to the transaction of a kube-proxy's first full sync in nftables mode, a command at a time.
 * `writeTransaction` makes it the text for `nft -f`, and `applyTransaction` the table that it leaves.
 */
export function* emitNftables(plan: Plan, dialect: NftablesDialect): Generator<NftCommand> {
  const table = proxyTable(plan.family, dialect);
  yield* emitSkeleton(table, plan.node);
  for (const service of plan.services) {
    for (const command of emitServicePort(table, plan.node, service)) yield command;
  }
}
