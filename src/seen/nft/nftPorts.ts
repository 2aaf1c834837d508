import { ipPort } from '../../common/addresses/ipPort.ts';
import { type Protocol, protocolsByWord } from '../../common/addresses/protocol.ts';
import { memoized } from '../../common/memoized.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { readServicePortName } from '../names/readServicePortName.ts';
import { addIp, type PortBook, portBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { chooseClusterIPs, type RefusedAddress } from './chooseClusterIPs.ts';
import { hairpinSet, namesOwnEndpoints } from './hairpinSet.ts';
import { nftSources } from './nftSources.ts';
import { elementsOf, nameOfChain, verdictChain } from './proxyElements.ts';
import { readLostAddresses } from './readLostAddresses.ts';
import { readServiceChains } from './readServiceChains.ts';

/** Service ports that kube-proxy's table of nftables mode shows, by names of chains and comments of elements. */
export const nftPorts = memoized(({ tables, family }: ToolRules): readonly SeenPort[] => {
  const book = portBook(family);
  for (const table of tables.values()) if (isProxyTable(table.name)) readTable(table, book);
  return [...book.all()];
});

function readTable(table: RuleTable, book: PortBook): void {
  const clusterIPs = new Set(elementsOf(table, 'set cluster-ips').map(({ key }) => key[0]));
  for (const element of elementsOf(table, 'map service-ips')) readAddress(element, book);
  for (const element of elementsOf(table, 'map service-nodeports')) readNodePort(element, book);
  const refused: RefusedAddress[] = [];
  for (const element of elementsOf(table, 'map no-endpoint-services')) readRefused(element, book, refused);
  for (const element of elementsOf(table, 'map no-endpoint-nodeports')) {
    const port = readNodePort(element, book);
    if (port !== undefined) refuse(port, element, false);
  }
  for (const { port, ip, element } of chooseClusterIPs(refused, book, clusterIPs)) {
    const isInternal = port.clusterIP === ip;
    const isKnown = isInternal || port.externalIPs.includes(ip) || port.loadBalancerIPs.includes(ip);
    if (!isKnown) addIp(port.eitherIPs, ip);
    refuse(port, element, isInternal);
  }
  nftSources(table, book);
  readServiceChains(table, book);
  readLostAddresses(table, book);
  const local = localAddresses(table);
  if (local !== undefined) for (const port of book.all()) port.localAddresses = local.get(port.protocol) ?? new Set();
}

function portOf(element: NftElement, word: string | undefined, book: PortBook): SeenPort | undefined {
  const named = nameOfChain(verdictChain(element)) ?? readServicePortName(element.comment ?? '');
  const protocol = protocolsByWord.get(word ?? '');
  return named === undefined || protocol === undefined ? undefined : book.of(named, protocol);
}

function readAddress(element: NftElement, book: PortBook): void {
  const [ip = '', word, number] = element.key;
  const port = portOf(element, word, book);
  if (port === undefined) return;
  port.port ??= Number(number);
  const chain = verdictChain(element);
  if (chain.startsWith('external-')) {
    addIp(port.eitherIPs, ip);
    return;
  }
  port.clusterIP ??= ip;
  port.internalPolicy ??= chain.startsWith('local-') ? 'Local' : 'Cluster';
}

function readNodePort(element: NftElement, book: PortBook): SeenPort | undefined {
  const [word, number] = element.key;
  const port = portOf(element, word, book);
  if (port !== undefined) port.nodePort ??= Number(number);
  return port;
}

function readRefused(element: NftElement, book: PortBook, refused: RefusedAddress[]): void {
  const [ip = '', word, number] = element.key;
  const port = portOf(element, word, book);
  if (port === undefined) return;
  port.port ??= Number(number);
  refused.push({ port, ip, element });
}

/** Traffic is rejected if there is no endpoint; it is dropped if a Local policy finds none on this node. */
function refuse(port: SeenPort, { verdict }: NftElement, isInternal: boolean): void {
  if (verdict?.kind !== 'drop') {
    port.hasEndpoints = false;
    return;
  }
  port.hasEndpoints = true;
  port.local ??= [];
  port[isInternal ? 'internalPolicy' : 'externalPolicy'] = 'Local';
}

/** Since 1.36: the endpoints of this node that rules can send to, by protocol. */
function localAddresses(table: RuleTable): ReadonlyMap<Protocol, ReadonlySet<string>> | undefined {
  if (!namesOwnEndpoints(table)) return undefined;
  const found = new Map<Protocol, Set<string>>();
  for (const { key } of elementsOf(table, hairpinSet)) {
    const [ip = '', , word = '', port] = key;
    const protocol = protocolsByWord.get(word);
    if (protocol === undefined) continue;
    const own = found.get(protocol) ?? new Set();
    found.set(protocol, own.add(ipPort(ip, Number(port))));
  }
  return found;
}
