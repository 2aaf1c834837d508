import { canonicalIp } from '../common/addresses/ip.ts';
import { isHashedServiceChain } from '../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { nftServiceName } from '../seen/names/nftServiceName.ts';
import type { RuleSources } from './ruleSources.ts';

/** For each line of a printed text of rules, the numbers of the sources that it comes from; most lines have none or two. */
export type LineSources = readonly (readonly number[])[];

/**
 * Chains know whose they are, from the data that the rules were made of; of IPVS, whose lines name no Service, addresses and
 * ports tell it. `expected`: the same rules as data.
 */
export function lineSources(text: string, sources: RuleSources, expected: NodeRules): LineSources {
  const index = indexOf(sources, expected);
  let chain: readonly number[] = none;
  return text.split('\n').map((line) => {
    const words = line.match(/[\w.:/-]+/g);
    if (words === null) return none;
    const opened = words[0] === 'chain' ? words[1] : undefined;
    if (opened !== undefined && line.endsWith('{')) chain = index.names.get(opened) ?? none;
    if (/^\s*\}$/.test(line)) chain = none;
    if (words[0]?.startsWith('#')) return none;
    return sourcesOf(words, line, chain, index, sources);
  });
}

const none: readonly number[] = [];

interface Index {
  /** Chains, and names of Service ports as comments have them. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly addresses: ReadonlyMap<string, RuleSources['ports']>;
  readonly nodePorts: ReadonlyMap<number, RuleSources['ports']>;
}

function indexOf(sources: RuleSources, expected: NodeRules): Index {
  const names = new Map<string, number[]>();
  const addresses = new Map<string, RuleSources['ports'][number][]>();
  const nodePorts = new Map<number, RuleSources['ports'][number][]>();
  for (const each of sources.ports) {
    const { port, source } = each;
    const service = `${port.namespace}/${port.name}`;
    // Versions before 1.19 keep the colon of a port without a name.
    const own = port.portName === '' ? [service, `${service}:`] : [`${service}:${port.portName}`];
    for (const name of own) put(names, name, source);
    const ips = [port.clusterIP, ...port.externalIPs, ...port.loadBalancerIngress.map(({ ip }) => ip)];
    for (const ip of new Set(ips)) put(addresses, ip, each);
    if (port.nodePort > 0) put(nodePorts, port.nodePort, each);
    if (port.healthCheckNodePort > 0) put(nodePorts, port.healthCheckNodePort, each);
  }
  for (const tool of [...expected.iptables, ...expected.nft]) addChains(tool, names);
  return { names, addresses, nodePorts };
}

/** Chains by whose rules they hold. */
function addChains({ tables }: ToolRules, names: Map<string, number[]>): void {
  for (const table of tables.values()) {
    for (const [name, { owner }] of table.chains) {
      const service = owner ?? nftServiceName(name);
      const known = service === undefined ? undefined : names.get(service);
      if (known !== undefined && (isHashedServiceChain(name) || owner === undefined)) {
        for (const source of known) put(names, name, source);
      }
    }
  }
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else if (!known.includes(value)) known.push(value);
}

function sourcesOf(
  words: readonly string[],
  line: string,
  chain: readonly number[],
  index: Index,
  { endpoints, nodeAddresses }: RuleSources,
): readonly number[] {
  const found = new Set<number>(chain);
  const numbers = new Set<number>();
  const ips: string[] = [];
  for (const word of words) {
    // iptables-save declares a chain behind a colon.
    for (const source of index.names.get(word.replace(/^:/, '')) ?? none) found.add(source);
    const { ip, port } = addressIn(word);
    if (ip !== undefined) ips.push(ip);
    if (port !== undefined) numbers.add(port);
  }
  if (found.size === 0) for (const source of byAddress(ips, numbers, line, index, nodeAddresses)) found.add(source);
  for (const ip of ips) {
    const endpoint = endpoints.get(ip);
    // A Pod of the host's network has the node's address.
    if (endpoint !== undefined && !(found.size === 0 && nodeAddresses.has(ip))) found.add(endpoint);
  }
  return found.size === 0 ? none : [...found];
}

/** `10.96.0.10/32`, `10.96.0.10:80`, `[fd00::1]:80` without its brackets, `tcp:80`, `80`. */
function addressIn(word: string): { readonly ip?: string; readonly port?: number } {
  const own = canonicalIp(word.replace(/\/\d+$/, ''));
  if (own !== undefined) return { ip: own };
  const [, head = '', number] = /^(?:(.*):)?(\d{1,5})$/.exec(word) ?? [];
  if (number === undefined) return {};
  const ip = canonicalIp(head);
  return { ...(ip !== undefined && { ip }), port: Number(number) };
}

function byAddress(
  ips: readonly string[],
  numbers: ReadonlySet<number>,
  line: string,
  { addresses, nodePorts }: Index,
  nodeAddresses: ReadonlySet<string>,
): readonly number[] {
  const own = ips.flatMap((ip) => addresses.get(ip) ?? []);
  const asked = own.filter(({ port }) => numbers.has(port.port));
  if (own.length > 0) return (asked.length > 0 ? asked : own).map(({ source }) => source);
  const isNodePort = /^add KUBE-(?:NODE-PORT|HEALTH-CHECK)/.test(line) || ips.some((ip) => nodeAddresses.has(ip));
  return isNodePort ? [...numbers].flatMap((number) => nodePorts.get(number) ?? []).map(({ source }) => source) : none;
}
