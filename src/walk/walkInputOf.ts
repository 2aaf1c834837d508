import type { Family } from '../common/family.ts';
import { addressPattern, addressValue } from '../netfilter/addressRanges.ts';
import type { IpSet } from '../netfilter/ipset/ast.ts';
import type { Word } from '../netfilter/iptables/ast.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { protocolNumber } from '../netfilter/iptables/protocols.ts';
import { ruleSteps } from '../netfilter/iptables/ruleSteps.ts';
import type { VirtualService } from '../netfilter/ipvs/ast.ts';
import type { NftChain } from '../netfilter/nft/ast.ts';
import { nftRuleSteps } from '../netfilter/nft/nftRuleSteps.ts';
import { placeOf, readLines } from '../node/chainLines.ts';
import type { NodeRules, RuleChain, RuleTable, ToolRules } from '../node/nodeRules.ts';
import { readRules } from '../node/rulesOf.ts';
import { lazyRule } from './lazyRule.ts';
import type { AssumedPart } from './topology.ts';
import { topologyOf } from './topologyOf.ts';
import type {
  Hook,
  KnownConnection,
  WalkBase,
  WalkChain,
  WalkInput,
  WalkIpset,
  WalkMember,
  WalkMemberPart,
  WalkRule,
  WalkSet,
  WalkTable,
  WalkVirtualService,
} from './walkInput.ts';

/** The one door from what a node holds to what the walk knows of it. */
export function walkInputOf(
  node: NodeRules,
  family: Family,
  assumed: ReadonlyMap<AssumedPart, string> = new Map(),
): WalkInput {
  const legacy = node.iptables.filter((tool) => tool.family === family && tool.backend !== 'nft');
  const inNft = node.iptables.filter((tool) => tool.family === family && tool.backend === 'nft');
  const iptables = [...legacy, ...inNft].flatMap((tool) => iptablesTables(tool, family));
  const nft = node.nft.flatMap((tool) => nftTables(tool, family));
  // Older programs were there first, mostly: nft's own tables are asked before those of iptables.
  const tables = [...iptables, ...nft];
  const sets = node.ipsets.flatMap((tool) => [...tool.tables.values()].flatMap(({ chains }) => [...chains.values()]));
  const ipsets = sets.flatMap(({ content }) => (content?.kind === 'ipset' ? [ipsetOf(content.set)] : []));
  const services = node.ipvs
    .filter((tool) => tool.family === family)
    .flatMap((tool) => [...tool.tables.values()].flatMap(({ chains }) => [...chains.values()]));
  return {
    family,
    tables,
    ipsets: new Map(ipsets.map((set) => [set.name, set])),
    ipvs: services.flatMap(({ content }) =>
      content?.kind === 'virtualServer' ? virtualServiceOf(content.service) : [],
    ),
    topology: topologyOf(node.network, family, assumed),
    connections: node.connections.filter(({ flow }) => flow.family === family).flatMap(connectionOf),
    assumed: [...orderAssumed(iptables, nft), ...fragments(iptables)],
  };
}

/** Between iptables and nft a dump does not show which of two chains at one priority was registered last. */
function orderAssumed(iptables: readonly WalkTable[], nft: readonly WalkTable[]): readonly string[] {
  const places = (tables: readonly WalkTable[]) =>
    tables.flatMap(({ chains }) =>
      [...chains.values()].flatMap(({ base }) =>
        base === undefined || base.kind === 'nat' ? [] : [`${base.hook} ${base.priority}`],
      ),
    );
  const own = new Set(places(iptables));
  const shared = [...new Set(places(nft).filter((place) => own.has(place)))];
  return shared.length === 0
    ? []
    : [`order: at equal priorities (${shared.join(', ')}) chains of nft are asked before those of iptables`];
}

function fragments(tables: readonly WalkTable[]): readonly string[] {
  return tables
    .filter(({ isFragment }) => isFragment)
    .map(
      ({ name }) =>
        `fragment: the dump shows a part of the table ${name}; kube-proxy's chains are walked as if they were called`,
    );
}

function iptablesTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].map((table) => {
    const chains = new Map<string, WalkChain>();
    const isFragment = !table.isWhole && calledChains(table, undefined).length > 0;
    const walked: WalkTable = {
      ...(isFragment && { isFragment }),
      backend: tool.backend === 'nft' ? 'nft' : 'legacy',
      family: family === 'ipv4' ? 'ip' : 'ip6',
      name: table.name,
      chains,
      sets: new Map(),
    };
    for (const chain of table.chains.values()) chains.set(chain.name, iptablesChain(chain, table, walked, family));
    if (isFragment) for (const chain of calledChains(table, walked)) chains.set(chain.name, chain);
    // iptables-legacy has all base chains of a table as soon as the table is there.
    for (const name of tool.backend === 'nft' ? [] : builtinChains(table.name)) {
      const base = baseOf(table.name, name, 'ACCEPT');
      if (!chains.has(name) && base !== undefined) chains.set(name, { table: walked, name, base, rules: () => [] });
    }
    return walked;
  });
}

/** Who calls kube-proxy's chains on a node, for dumps that show these chains only (`iptables-save | grep KUBE`). */
const callers: Readonly<Record<string, readonly (readonly [base: string, chains: readonly string[]])[]>> = {
  nat: [
    ['PREROUTING', ['KUBE-SERVICES']],
    ['OUTPUT', ['KUBE-SERVICES']],
    ['POSTROUTING', ['KUBE-POSTROUTING']],
  ],
  filter: [
    [
      'INPUT',
      [
        'KUBE-IPVS-FILTER',
        'KUBE-PROXY-FIREWALL',
        'KUBE-NODE-PORT',
        'KUBE-NODEPORTS',
        'KUBE-EXTERNAL-SERVICES',
        'KUBE-FIREWALL',
      ],
    ],
    ['FORWARD', ['KUBE-PROXY-FIREWALL', 'KUBE-FORWARD', 'KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES']],
    ['OUTPUT', ['KUBE-IPVS-OUT-FILTER', 'KUBE-PROXY-FIREWALL', 'KUBE-SERVICES', 'KUBE-FIREWALL']],
  ],
};

/** Base chains that the dump does not show, with the calls that it must have. */
function calledChains(table: RuleTable, walked: WalkTable | undefined): readonly WalkChain[] {
  return (callers[table.name] ?? []).flatMap(([name, targets]): readonly WalkChain[] => {
    const base = baseOf(table.name, name, 'ACCEPT');
    const called = targets.filter((target) => table.chains.has(target));
    if (table.chains.has(name) || base === undefined || called.length === 0) return [];
    const chain: WalkChain = {
      table: walked as WalkTable,
      name,
      base,
      rules: () =>
        called.map((target, at) => ({
          chain,
          number: at + 1,
          text: `-A ${name} -j ${target}`,
          steps: [{ kind: 'jump', chain: target }],
        })),
    };
    return [chain];
  });
}

function iptablesChain(chain: RuleChain, table: RuleTable, walked: WalkTable, family: Family): WalkChain {
  const isBuiltin = builtinChains(table.name).includes(chain.name);
  const base = isBuiltin ? baseOf(table.name, chain.name, chain.policy ?? 'ACCEPT') : undefined;
  const whole: WalkChain = {
    table: walked,
    name: chain.name,
    text: chain.text,
    ...(base && { base }),
    ...declaredIn(chain),
    rules: () => {
      const lines = readLines(chain);
      return readRules(chain, family).map((rule, at) =>
        ruleAt(whole, chain, at, lines[at] ?? '', () => ruleSteps(rule, family), commentOf(rule.words)),
      );
    },
  };
  return whole;
}

function declaredIn({ file, declaredAt }: RuleChain): Pick<WalkChain, 'place'> {
  return declaredAt > 0 ? { place: { file, line: declaredAt } } : {};
}

function ruleAt(
  chain: WalkChain,
  lines: RuleChain,
  at: number,
  text: string,
  steps: () => WalkRule['steps'],
  comment: string | undefined,
  offset = 0,
): WalkRule {
  const { file, line } = placeOf(lines, at + offset);
  return lazyRule({ chain, number: at + 1, text, comment, file: file || undefined, line: line || undefined }, steps);
}

function commentOf(words: readonly Word[]): string | undefined {
  for (const word of words) if (word.kind === 'comment') return word.text;
  return undefined;
}

const hooks: ReadonlyMap<string, Hook> = new Map([
  ['PREROUTING', 'prerouting'],
  ['INPUT', 'input'],
  ['FORWARD', 'forward'],
  ['OUTPUT', 'output'],
  ['POSTROUTING', 'postrouting'],
]);

/** Where the tables of iptables stand. */
const priorities: ReadonlyMap<string, number> = new Map([
  ['raw', -300],
  ['mangle', -150],
  ['filter', 0],
  ['security', 50],
]);

function baseOf(table: string, chain: string, policy: string): WalkBase | undefined {
  const hook = hooks.get(chain);
  if (hook === undefined) return undefined;
  const isSource = hook === 'input' || hook === 'postrouting';
  const priority = table === 'nat' ? (isSource ? 100 : -100) : priorities.get(table);
  if (priority === undefined) return undefined;
  return { hook, kind: table === 'nat' ? 'nat' : 'filter', priority, policy: policy === 'DROP' ? 'drop' : 'accept' };
}

function nftTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].flatMap((table): readonly WalkTable[] => {
    const [tableFamily = '', name = ''] = splitAt(table.name);
    if (tableFamily !== 'inet' && tableFamily !== (family === 'ipv4' ? 'ip' : 'ip6')) return [];
    const chains = new Map<string, WalkChain>();
    const sets = new Map<string, WalkSet>();
    const walked: WalkTable = { backend: 'nft', family: tableFamily as WalkTable['family'], name, chains, sets };
    for (const chain of table.chains.values()) {
      if (chain.content?.kind === 'nftChain') {
        chains.set(chain.content.chain.name, nftChain(chain, chain.content.chain, walked));
      } else if (chain.content?.kind === 'nftSet') {
        const { set } = chain.content;
        const { timeout } = set;
        const isDynamic = set.flags.includes('dynamic') || timeout !== undefined;
        sets.set(set.name, {
          name: set.name,
          elements: set.elements,
          isDynamic,
          ...(timeout !== undefined && { timeout }),
        });
      }
    }
    return [walked];
  });
}

function splitAt(name: string): readonly [string, string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
}

function nftChain(chain: RuleChain, content: NftChain, walked: WalkTable): WalkChain {
  const { base } = content;
  const hook = base && hookNames.has(base.hook) ? (base.hook as Hook) : undefined;
  const walkBase: WalkBase | undefined =
    base && hook !== undefined
      ? {
          hook,
          kind: base.type === 'nat' ? 'nat' : base.type === 'route' ? 'route' : 'filter',
          priority: base.priority,
          policy: base.policy === 'drop' ? 'drop' : 'accept',
        }
      : undefined;
  const whole: WalkChain = {
    table: walked,
    name: content.name,
    ...(walkBase && { base: walkBase }),
    ...declaredIn(chain),
    rules: () => {
      const lines = readLines(chain);
      // A base chain has a line for its hook before its rules.
      const offset = lines.length - content.rules.length;
      return content.rules.map((rule, at) => {
        const steps = () => nftRuleSteps(rule, walked.family);
        return ruleAt(whole, chain, at, lines[at + offset] ?? '', steps, rule.comment, offset);
      });
    },
  };
  return whole;
}

const hookNames: ReadonlySet<string> = new Set<Hook>(['prerouting', 'input', 'forward', 'output', 'postrouting']);

function ipsetOf(set: IpSet): WalkIpset {
  const [method = '', kinds = ''] = set.type.split(':');
  if (method === 'list')
    return { name: set.name, dimensions: [], members: [], lists: set.members.map(({ member }) => member) };
  const dimensions = kinds.split(',');
  const members = set.members.flatMap(({ member, options }): WalkMember[] => {
    const parts = partsOf(member, dimensions);
    return parts === undefined ? [] : [{ parts, isException: options.some(({ name }) => name === 'nomatch') }];
  });
  return { name: set.name, dimensions, members };
}

/** `10.0.0.1,tcp:80,10.0.0.0/8`. */
function partsOf(member: string, dimensions: readonly string[]): readonly WalkMemberPart[] | undefined {
  const texts = member.split(',');
  const parts: WalkMemberPart[] = [];
  for (const [at, dimension] of dimensions.entries()) {
    const part = partOf(texts[at] ?? '', dimension);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function partOf(text: string, dimension: string): WalkMemberPart | undefined {
  switch (dimension) {
    case 'ip':
    case 'net': {
      const range = addressPattern(text)?.range;
      return range && { range };
    }
    case 'port': {
      const [, protocol, ports = ''] = /^(?:([a-z0-9-]+):)?(\S+)$/.exec(text) ?? [];
      const [first = '', last = first] = ports.split('-');
      if (!/^\d+$/.test(first) || !/^\d+$/.test(last)) return undefined;
      const range = { first: Number(first), last: Number(last) };
      return protocol === undefined ? { range } : { range, protocol: Number(protocolNumber(protocol)) };
    }
    case 'mark':
      return { range: { first: Number(text), last: Number(text) } };
    case 'iface':
      return { range: { first: 0, last: 0 }, name: text.replace(/^physdev:/, '') };
    default:
      return undefined;
  }
}

function virtualServiceOf({ address, scheduler, persistence, servers }: VirtualService): readonly WalkVirtualService[] {
  if (address.kind !== 'address') return [];
  const value = addressValue(address.ip);
  if (value === undefined) return [];
  const text = `${address.protocol.toUpperCase()} ${address.ip.includes(':') ? `[${address.ip}]` : address.ip}:${address.port}`;
  return [
    {
      protocol: Number(protocolNumber(address.protocol)),
      address: value,
      port: address.port,
      scheduler,
      ...(persistence && { persistence: persistence.seconds }),
      servers: servers.flatMap(({ ip, port, weight, forward }) => {
        const server = addressValue(ip);
        const way = typeof forward === 'string' ? forward : ('tunnel' as const);
        return server === undefined ? [] : [{ address: server, port, weight, forward: way }];
      }),
      text,
    },
  ];
}

function connectionOf({ flow }: NodeRules['connections'][number]): readonly KnownConnection[] {
  const sides = [flow.original, flow.reply].map(({ source, destination, sourcePort, destinationPort }) => {
    return { source: addressValue(source), destination: addressValue(destination), sourcePort, destinationPort };
  });
  const [original, reply] = sides;
  if (original?.source === undefined || original.destination === undefined) return [];
  if (reply?.source === undefined || reply.destination === undefined || flow.isInZone) return [];
  return [
    {
      protocol: flow.protocol,
      original: { ...original, source: original.source, destination: original.destination },
      reply: { ...reply, source: reply.source, destination: reply.destination },
      isUnreplied: flow.isUnreplied,
      mark: 0,
    },
  ];
}
