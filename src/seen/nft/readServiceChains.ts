import { canonicalIp } from '../../common/addresses/ip.ts';
import { protocolsByWord } from '../../common/addresses/protocol.ts';
import type { NftElement, NftRule, Statement } from '../../netfilter/nft/ast.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { nftChainName } from '../names/nftChainName.ts';
import type { PortBook } from '../ports/portBook.ts';
import type { SeenAddress, SeenPort } from '../ports/seenPort.ts';
import { nameOfChain } from './proxyElements.ts';

/**
 * Reads policies, affinity and endpoints off the chains of Service ports. In a piece of a table without its maps, only
 * the chains show Service ports; otherwise, chains that belong to no Service port are leftovers.
 */
export function readServiceChains(table: RuleTable, book: PortBook): void {
  const isPiece = !table.chains.has('map service-ips');
  for (const name of table.chains.keys()) {
    const kind = kindOf(name);
    const named = kind && nameOfChain(name);
    const word = named && protocolWord(name);
    const protocol = protocolsByWord.get(word ?? '');
    if (kind === undefined || named === undefined || protocol === undefined) continue;
    const known = book.named(named).find((port) => port.protocol === protocol);
    const rules = rulesOf(table, name);
    if ((known === undefined && !isPiece) || rules.length === 0) continue;
    readers[kind](table, rules, known ?? book.of(named, protocol));
  }
}

type Kind = 'service' | 'local' | 'external';

function kindOf(chain: string): Kind | undefined {
  const [, kind] = /^(service|local|external)-[A-Z0-9]{8}-/.exec(chain) ?? [];
  return kind as Kind | undefined;
}

/** `tcp` of `service-2QRHZV4L-shop/web/tcp/http`. */
function protocolWord(chain: string): string | undefined {
  return chain.split('/')[2];
}

const readers: Readonly<Record<Kind, (table: RuleTable, rules: readonly NftRule[], port: SeenPort) => void>> = {
  service: (table, rules, port) => {
    takeClusterIP(rules, port);
    port.cluster = balanced(table, rules, port);
    if (port.cluster.length > 0) port.hasEndpoints ??= true;
  },
  local: (table, rules, port) => {
    takeClusterIP(rules, port);
    port.local = balanced(table, rules, port);
    if (port.local.length > 0) port.hasEndpoints ??= true;
  },
  external: (_, rules, port) => {
    const isLocal = rules.some(({ statements: [first] }) => first?.kind === 'match' && first.left.kind === 'fib');
    port.externalPolicy ??= isLocal ? 'Local' : 'Cluster';
    port.hasEndpoints ??= true;
    const hasAddress = port.eitherIPs.length + port.externalIPs.length + port.loadBalancerIPs.length > 0;
    if (!hasAddress && port.nodePort === undefined) port.hasLostAddress = true;
  },
};

function rulesOf(table: RuleTable, chain: string): readonly NftRule[] {
  const content = table.chains.get(chain)?.content;
  return content?.kind === 'nftChain' ? content.chain.rules : [];
}

/** Through 1.33 the rule that marks for masquerading names the cluster IP with its port. */
function takeClusterIP(rules: readonly NftRule[], port: SeenPort): void {
  for (const { statements } of rules) {
    for (const statement of statements) {
      if (statement.kind !== 'match' || statement.left.kind !== 'payload' || statement.operator !== '==') continue;
      if (statement.right.kind !== 'value') continue;
      const [text = ''] = statement.right.key;
      if (statement.left.field === 'daddr') port.clusterIP ??= canonicalIp(text);
      if (statement.left.field === 'dport') port.port ??= Number(text);
    }
  }
}

function balanced(table: RuleTable, rules: readonly NftRule[], port: SeenPort): readonly SeenAddress[] {
  const found: SeenAddress[] = [];
  for (const statement of rules.flatMap(({ statements }) => statements)) {
    if (statement.kind === 'match' && statement.right.kind === 'namedSet') {
      port.affinitySeconds ??= timeoutOf(table, statement.right.name);
    }
    if (statement.kind === 'vmap' && statement.map.kind === 'anonymousMap') {
      for (const { verdict } of inOrder(statement.map.elements)) {
        const chain = verdict !== undefined && 'chain' in verdict ? verdict.chain : '';
        found.push(...endpointOf(table, chain));
      }
    }
    if (statement.kind === 'nat') found.push(...translated(statement));
    // A single endpoint, in a text that somebody simplified by hand.
    if (statement.kind === 'verdict' && statement.verdict.kind === 'goto') {
      found.push(...endpointOf(table, statement.verdict.chain));
    }
  }
  const isSticky = new Set<string>();
  return found.filter(({ ip, port: number }) => isSticky.size < isSticky.add(`${ip} ${number}`).size);
}

function inOrder(elements: readonly NftElement[]): readonly NftElement[] {
  return [...elements].sort((a, b) => Number(a.key[0]) - Number(b.key[0]));
}

/** How many seconds an affinity set keeps its clients. */
function timeoutOf(table: RuleTable, set: string): number | undefined {
  const content = table.chains.get(`set ${set}`)?.content;
  if (content?.kind !== 'nftSet' || content.set.timeout === undefined) return undefined;
  return Math.round(content.set.timeout / 1000);
}

/** Through 1.35, and with affinity, each endpoint has a chain; its name contains the address as kube-proxy got it. */
function endpointOf(table: RuleTable, chain: string): readonly SeenAddress[] {
  if (!chain.startsWith('endpoint-')) return [];
  const own = rulesOf(table, chain).flatMap(({ statements }) => statements.flatMap(translated));
  return own.map(({ ip, port }) => ({ ip: writtenIn(chain, ip), port }));
}

function writtenIn(chain: string, ip: string): string {
  if (!ip.includes(':')) return ip;
  const [, name = ''] = /^__([0-9a-fA-F.]+)\/\d+$/.exec(nftChainName(chain)?.rest ?? '') ?? [];
  const written = name.replaceAll('.', ':');
  return canonicalIp(written) === ip ? written : ip;
}

/** `dnat to 10.244.1.7:8080`, and since 1.36 `dnat ip to numgen … map { 0 : 10.244.1.7 . 8080 }`. */
function translated(statement: Statement): readonly SeenAddress[] {
  if (statement.kind !== 'nat' || statement.action !== 'dnat') return [];
  if (statement.address !== undefined) return addressOf(statement.address, statement.port);
  const map = statement.lookup?.map;
  return map?.kind === 'anonymousMap' ? inOrder(map.elements).flatMap(({ value = [] }) => addressOf(...value)) : [];
}

function addressOf(address = '', port?: string): readonly SeenAddress[] {
  const ip = canonicalIp(address.replace(/^\[|\]$/g, ''));
  const number = Number(port);
  return ip === undefined || !(number > 0 && number < 65_536) ? [] : [{ ip, port: number }];
}
