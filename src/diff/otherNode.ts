import { familyOf, isLoopbackIp } from '../common/addresses/ip.ts';
import { isNodePortWord } from '../common/text/nodePortWord.ts';
import type { Model } from '../model/model.ts';

/**
 * A note if the dump has its node ports on addresses (`shown`) without the node's IP: it probably comes from another
 * node, which explains many differences. Other addresses prove nothing, because other nodes have them too: docker0 is
 * 172.17.0.1 on all. There is no note if node ports were restricted to some addresses.
 */
export function otherNode(
  {
    node,
    config,
  }: { readonly node: Pick<Model['node'], 'name' | 'ip'>; readonly config: Pick<Model['config'], 'nodePortAddresses'> },
  shown: readonly string[],
): string | undefined {
  if (config.nodePortAddresses.some((range) => !isNodePortWord(range))) return undefined;
  for (const family of ['ipv4', 'ipv6'] as const) {
    const own = node.ip[family];
    const others = shown.filter((address) => familyOf(address) === family && !isLoopbackIp(address));
    if (isLoopbackIp(own) || others.length === 0 || others.includes(own)) continue;
    return `node ports of the dump are on ${listed(others)}, and node ${node.name} has ${own}: the dump may be of another node`;
  }
  return undefined;
}

function listed(addresses: readonly string[]): string {
  return addresses.length > 3 ? `${addresses.slice(0, 3).join(', ')}, …` : addresses.join(', ');
}
