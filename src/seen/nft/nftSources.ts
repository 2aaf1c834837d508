import { protocolsByWord } from '../../common/addresses/protocol.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { readServicePortName } from '../names/readServicePortName.ts';
import { addIp, type PortBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { networksOf } from './networksOf.ts';
import { elementsOf, nameOfChain, verdictChain } from './proxyElements.ts';
import { sourcesOfChain } from './sourcesOfChain.ts';

/**
 * Reads source ranges of load balancers: from rules of chains `firewall-`, and in 1.29 from elements of
 * `firewall-allow`.
 */
export function nftSources(table: RuleTable, book: PortBook): void {
  for (const element of [...elementsOf(table, 'map firewall-ips'), ...elementsOf(table, 'set firewall')]) {
    const [ip = '', word = '', number] = element.key;
    const protocol = protocolsByWord.get(word);
    const named = nameOfChain(verdictChain(element)) ?? readServicePortName(element.comment ?? '');
    if (named === undefined || protocol === undefined) continue;
    const port = book.of(named, protocol);
    port.port ??= Number(number);
    isLoadBalancer(port, ip);
    const chain = verdictChain(element);
    if (chain !== '') port.sources ??= sourcesOfChain(table, chain);
  }
  readAllowed(table, book);
}

/** An address with source ranges belongs to a load balancer. */
function isLoadBalancer(port: SeenPort, ip: string): void {
  const at = port.eitherIPs.indexOf(ip);
  if (at !== -1) port.eitherIPs.splice(at, 1);
  addIp(port.loadBalancerIPs, ip);
  port.tellsLoadBalancers = true;
}

function readAllowed(table: RuleTable, book: PortBook): void {
  const found = new Map<SeenPort, string[]>();
  const own = new Set<string>();
  for (const { key, comment = '' } of elementsOf(table, 'set firewall-allow')) {
    const [ip = '', word = '', number = '', range = ''] = key;
    const named = readServicePortName(comment);
    const protocol = protocolsByWord.get(word);
    if (named === undefined || protocol === undefined) {
      own.add(`${ip} ${word} ${number}`);
      continue;
    }
    const port = book.of(named, protocol);
    // The same for each address.
    if (port.loadBalancerIPs[0] !== ip) continue;
    found.set(port, [...(found.get(port) ?? []), ...networksOf(range)]);
  }
  for (const [port, ranges] of found) {
    const isOwn = own.has(`${port.loadBalancerIPs[0]} ${port.protocol.toLowerCase()} ${port.port}`);
    port.sources ??= { ranges, own: isOwn ? 'apart' : 'none' };
  }
}
