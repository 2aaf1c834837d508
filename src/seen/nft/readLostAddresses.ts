import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { addIp, type PortBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { elementsOf, nameOfChain, verdictChain } from './proxyElements.ts';
import { sourcesOfChain } from './sourcesOfChain.ts';

/**
 * Since 1.31, if several Services claim one address, the last gets it; the chains of the others remain, without an
 * element that leads to them. Such a Service port has an address of another one with its protocol and port: the only
 * one, or the first of them.
 */
export function readLostAddresses(table: RuleTable, book: PortBook): void {
  for (const port of book.all()) {
    if (port.hasLostAddress) {
      const ip = takenFrom(port, elementsOf(table, 'map service-ips'), 'external-');
      if (ip !== undefined) addIp(port.eitherIPs, ip);
    }
  }
  for (const name of table.chains.keys()) {
    const port = name.startsWith('firewall-') ? withoutSources(name, book) : undefined;
    if (port === undefined) continue;
    const ip = takenFrom(port, elementsOf(table, 'map firewall-ips'), 'firewall-');
    const sources = sourcesOfChain(table, name);
    if (ip === undefined || sources === undefined) continue;
    addIp(port.loadBalancerIPs, ip);
    port.sources = sources;
  }
}

/** Elements that lead from the port's number to a chain of another Service. */
function takenFrom(port: SeenPort, elements: readonly NftElement[], prefix: string): string | undefined {
  const [word, number] = [port.protocol.toLowerCase(), String(port.port)];
  return elements.find(({ key, ...element }) => {
    const chain = verdictChain({ key, ...element });
    const isOther = nameOfChain(chain)?.service !== port.service;
    return key[1] === word && key[2] === number && chain.startsWith(prefix) && isOther;
  })?.key[0];
}

/** The port of a source-range chain that no address leads to. */
function withoutSources(chain: string, book: PortBook): SeenPort | undefined {
  const named = nameOfChain(chain);
  const word = chain.split('/')[2];
  if (named === undefined) return undefined;
  return book.named(named).find(({ protocol, sources }) => protocol.toLowerCase() === word && sources === undefined);
}
