import type { NodeRules } from '../../node/nodeRules.ts';
import type { Namespace } from '../openNamespace.ts';
import { runIn } from '../runIn.ts';

/** Empties what the rules of a node remember of clients: lists of `recent`, and the dynamic sets of nft. */
export async function forgetClients(namespace: Namespace, rules: NodeRules): Promise<void> {
  const flushes = rules.nft.flatMap(({ tables }) =>
    [...tables].flatMap(([table, { chains }]) =>
      [...chains.values()].flatMap(({ content }) =>
        content?.kind === 'nftSet' && content.set.flags.some((flag) => flag === 'dynamic' || flag === 'timeout')
          ? [`flush ${content.set.kind} ${table} ${content.set.name}\n`]
          : [],
      ),
    ),
  );
  await Promise.all([
    runIn(namespace, ['sh', '-c', 'for list in /proc/net/xt_recent/*; do [ ! -e "$list" ] || echo / >"$list"; done']),
    flushes.length > 0 ? runIn(namespace, ['nft', '-f', '-'], flushes.join('')) : undefined,
  ]);
}
