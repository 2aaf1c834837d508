import { type Protocol, protocolsByWord } from '../../common/addresses/protocol.ts';
import { base32Prefix } from '../../common/base32.ts';
import type { RuleView } from '../../netfilter/iptables/print/ruleView.ts';
import { type ServiceChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { isOwnTable } from '../gaps/isOwnTable.ts';
import type { ServicePortName } from '../names/readServicePortName.ts';
import { serviceInComment } from '../names/serviceInComment.ts';
import type { PortBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { followEntrance } from './followEntrance.ts';
import type { TrackingReader } from './trackingReader.ts';

/**
 * Chains that no address leads to. In a piece of a table they show part of their Service. In a whole table they are
 * leftovers, except those of endpoints that are not ready, which kube-proxy 1.22 keeps.
 */
export function readStrayChains(nat: RuleTable, book: PortBook, reader: TrackingReader): void {
  const isWhole = isOwnTable(nat);
  if (!isWhole) {
    for (const kind of ['firewall', 'external', 'localExternal', 'balance', 'localBalance'] as const) {
      for (const name of strays(nat, kind, reader)) readPiece(name, book, reader);
    }
  }
  for (const name of strays(nat, 'endpoint', reader)) {
    const endpoint = reader.endpoint(name);
    const named = serviceInComment(endpoint?.comment);
    if (endpoint?.protocol === undefined || named === undefined || named.what !== '') continue;
    const known = book.named(named).find(({ protocol }) => protocol === endpoint.protocol);
    if (known === undefined && isWhole) continue;
    const port = known ?? book.of(named, endpoint.protocol);
    const address = { ip: endpoint.ip, port: endpoint.port };
    if (isWhole) port.idle.push(address);
    else port.cluster = [...(port.cluster ?? []), address];
    if (!isWhole) port.hasEndpoints ??= true;
  }
}

function strays({ chains }: RuleTable, kind: ServiceChainKind, { reached }: TrackingReader): readonly string[] {
  return [...chains.keys()].filter((name) => serviceChainKind(name) === kind && !reached.has(name));
}

function readPiece(name: string, book: PortBook, reader: TrackingReader): void {
  if (reader.reached.has(name)) return;
  const chain = reader.service(name);
  const named = chain && nameIn([...chain.others.map(({ comment }) => comment), chain.comment]);
  if (chain === undefined || named === undefined) return;
  const port = book.of(named, protocolOf(name, named) ?? 'TCP');
  takeAddresses(chain.others, port);
  const made = serviceChainKind(name);
  const kind = made === 'balance' || made === 'localBalance' ? 'externalIP' : 'external';
  followEntrance({ port, kind, chain: name }, reader);
}

/** Rules that mark for masquerading name the addresses that lead to the chain (since 1.22). */
function takeAddresses(rules: readonly RuleView[], port: SeenPort): void {
  for (const { comment, destination, port: number } of rules) {
    const what = serviceInComment(comment)?.what;
    if (destination === undefined || number === undefined) continue;
    if (what === 'cluster IP') port.clusterIP ??= destination;
    if (what === 'cluster IP' || what === 'external IP') port.port ??= number;
  }
}

function nameIn(comments: readonly string[]): ServicePortName | undefined {
  for (const comment of comments) {
    const named = serviceInComment(comment);
    if (named !== undefined) return named;
  }
  return undefined;
}

/**
 * The name of a chain is a hash of the Service port's name and its protocol; through 1.18 with a colon even for an
 * unnamed port.
 */
function protocolOf(chain: string, { service, portName }: ServicePortName): Protocol | undefined {
  const hash = chain.slice(-16);
  const names = portName === '' ? [service, `${service}:`] : [`${service}:${portName}`];
  for (const [word, protocol] of protocolsByWord) {
    if (names.some((name) => base32Prefix(name + word, 16) === hash)) return protocol;
  }
  return undefined;
}
