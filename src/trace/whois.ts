import { base32Prefix } from '../common/base32.ts';
import { addressPattern, addressValue } from '../netfilter/addressRanges.ts';
import type { Value } from '../netfilter/meaning.ts';
import {
  isEndpointChain,
  isHashedServiceChain,
  nftChainKind,
  type ServiceChainKind,
  serviceChainKind,
} from '../netfilter/proxyChains.ts';
import { addressText, endText } from '../walk/text.ts';
import type { WalkInput, WalkRule } from '../walk/walkInput.ts';
import { protocolName } from './protocolName.ts';
import { type CatalogChain, type RuleCatalog, ruleCatalog } from './ruleCatalog.ts';
import type { CatalogEntrance } from './ruleEntrances.ts';

/** One thing that a name is, and where that is written. */
export interface WhoisFact {
  readonly kind: 'chain' | 'entrance' | 'endpoint' | 'pod' | 'node' | 'host' | 'mark' | 'set' | 'probability' | 'guess';
  readonly sentence: string;
  readonly service?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Says what a name on a node is: a chain, an address with or without a port, a node port, a mark, a set, a probability. */
export function whois(name: string, inputs: readonly WalkInput[], guesses: readonly string[]): readonly WhoisFact[] {
  const facts = inputs.flatMap((input) => factsOf(name, input, ruleCatalog(input)));
  const seen = new Set<string>();
  return [...facts, ...guessed(name, guesses)].filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence));
}

function factsOf(name: string, input: WalkInput, catalog: RuleCatalog): readonly WhoisFact[] {
  const end = readEnd(name);
  return [
    ...catalog.chains.filter(({ chain }) => chain.name === name).map((chain) => chainFact(chain, catalog)),
    ...(end === undefined ? [] : endFacts(end, input, catalog)),
    ...(/^\d{1,5}$/.test(name) ? portFacts(Number(name), catalog) : []),
    ...(/^0x[0-9a-f]{1,8}$/i.test(name) ? markFacts(Number(name), catalog) : []),
    ...setFacts(name, input, catalog),
    ...(/^[01]?\.\d+$/.test(name) ? probabilityFacts(Number(name), catalog) : []),
  ];
}

interface End {
  readonly address: Value;
  readonly port: number | undefined;
}

function readEnd(name: string): End | undefined {
  const [, ip = name, port] = /^\[([^\]]+)\](?::(\d+))?$/.exec(name) ?? /^([\d.]+)(?::(\d+))?$/.exec(name) ?? [];
  const address = addressValue(ip.replace(/\/(?:32|128)$/, ''));
  return address === undefined ? undefined : { address, port: port === undefined ? undefined : Number(port) };
}

function at(rule: WalkRule | undefined): Pick<WhoisFact, 'file' | 'line'> {
  return { ...(rule?.file !== undefined && { file: rule.file }), ...(rule?.line !== undefined && { line: rule.line }) };
}

function chainFact({ chain, service, targets, leadsTo, callers }: CatalogChain, catalog: RuleCatalog): WhoisFact {
  const rules = chain.rules().length;
  const own = service === undefined ? '' : ` of Service ${service}`;
  const ends = targetsBelow(chain.name, catalog);
  const to =
    targets.length > 0
      ? `; translates to ${targets.join(', ')}`
      : ends.length > 0
        ? `; leads to ${ends.join(', ')}`
        : leadsTo.length > 0
          ? `; leads to ${leadsTo.slice(0, 10).join(', ')}`
          : '';
  const ways = catalog.entrances.filter((entrance) => entrance.chain === chain.name && entrance.port !== undefined);
  const by =
    ways.length > 0
      ? `; reached by ${ways.map(entranceText).join(', ')}`
      : callers.length > 0
        ? `; called by ${[...new Set(callers.map((rule) => rule.chain.name))].slice(0, 10).join(', ')}`
        : '; no rule calls it';
  const role = roleOf(chain.name);
  return {
    kind: 'chain',
    sentence: `${chain.name} is ${role} in the table ${chain.table.name}${own}: ${rules} ${rules === 1 ? 'rule' : 'rules'}${to}${by}`,
    ...(service !== undefined && { service }),
    ...at(chain.rules()[0]),
  };
}

function roleOf(name: string): string {
  const kind = serviceChainKind(name) ?? nftChainKind(name);
  return kind === undefined ? 'a chain' : roles[kind];
}

const roles: Readonly<Record<ServiceChainKind, string>> = {
  balance: 'the chain that balances over the endpoints',
  localBalance: "the chain that balances over this node's endpoints",
  endpoint: 'the chain of an endpoint',
  external: 'the chain of traffic from outside',
  localExternal: 'the chain of traffic from outside with policy Local',
  firewall: 'the chain that holds the source ranges',
};

/** Where packets end that enter a chain. */
function targetsBelow(name: string, catalog: RuleCatalog): readonly string[] {
  const byName = new Map(catalog.chains.map((chain) => [chain.chain.name, chain]));
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const chain = byName.get(next);
    for (const target of chain?.targets ?? []) found.add(target);
    for (const further of chain?.leadsTo ?? []) open.push(further);
  }
  return [...found].sort();
}

function entranceText({ address, protocol, port, comment }: CatalogEntrance): string {
  const kind = /(cluster IP|external IP|load ?balancer IP)/.exec(comment ?? '')?.[1];
  const what = address === undefined ? 'node port' : (kind ?? 'address');
  const end = address === undefined ? String(port) : endText(address, port);
  return `${what} ${end}${protocol === undefined ? '' : `/${protocolName(protocol)}`}`;
}

function endFacts({ address, port }: End, input: WalkInput, catalog: RuleCatalog): readonly WhoisFact[] {
  const isPort = (own: number | undefined) => port === undefined || own === port;
  const facts: WhoisFact[] = catalog.entrances
    .filter((entrance) => entrance.address === address && isPort(entrance.port))
    .map((entrance) => entranceFact(entrance, catalog, input.ipvs));
  const written = addressText(address);
  for (const chain of catalog.chains) {
    for (const target of chain.targets) {
      const end = readEnd(target);
      if (end?.address !== address || !isPort(end.port)) continue;
      const own = chain.service === undefined ? '' : ` of Service ${chain.service}`;
      const sentence = `${target} is an endpoint${own}: ${chain.chain.name} translates to it`;
      facts.push({
        kind: 'endpoint',
        sentence,
        ...(chain.service !== undefined && { service: chain.service }),
        ...at(chain.chain.rules().at(-1)),
      });
    }
  }
  const { topology } = input;
  for (const { name, addresses, node } of topology.pods) {
    if (addresses.includes(address) && name !== written)
      facts.push({
        kind: 'pod',
        sentence: `${written} is the Pod ${name}${node === undefined ? '' : ` on node ${node}`}`,
      });
  }
  for (const { name, addresses } of topology.hosts) {
    if (addresses.includes(address)) facts.push({ kind: 'host', sentence: `${written} is ${name}` });
  }
  for (const { name, addresses } of topology.interfaces.values()) {
    if (addresses.some((own) => own.address === address))
      facts.push({ kind: 'node', sentence: `${written} is an address of this node, on ${name}` });
  }
  return facts;
}

function entranceFact(entrance: CatalogEntrance, catalog: RuleCatalog, ipvs: WalkInput['ipvs']): WhoisFact {
  const chain = catalog.chains.find((one) => one.chain.name === entrance.chain);
  const service = entrance.service ?? chain?.service;
  const virtual = ipvs.find(({ text }) => text === entrance.chain);
  const ends = virtual
    ? virtual.servers.map((server) => endText(server.address, server.port))
    : targetsBelow(entrance.chain, catalog);
  if (entrance.chain === '') {
    return {
      kind: 'entrance',
      sentence: `${entranceText(entrance)} is of Service ${service}: a rule refuses or drops it (${entrance.comment})`,
      ...(service !== undefined && { service }),
      ...at(entrance.rule),
    };
  }
  const to = ends.length === 0 ? 'no endpoint' : ends.join(', ');
  const by = virtual ? `IPVS (${virtual.scheduler})` : entrance.chain;
  return {
    kind: 'entrance',
    sentence: `${entranceText(entrance)}${service === undefined ? '' : ` is of Service ${service}`}: ${by} sends to ${to}`,
    ...(service !== undefined && { service }),
    ...at(entrance.rule),
  };
}

function portFacts(port: number, catalog: RuleCatalog): readonly WhoisFact[] {
  return catalog.entrances
    .filter((entrance) => entrance.address === undefined && entrance.port === port)
    .map((entrance) => entranceFact(entrance, catalog, []));
}

function markFacts(bits: number, catalog: RuleCatalog): readonly WhoisFact[] {
  return catalog.marks
    .filter((use) => (use.bits & bits) !== 0)
    .map(({ rule, use, bits: own }) => ({
      kind: 'mark',
      sentence: `${rule.chain.table.name} ${rule.chain.name} #${rule.number} ${use} the mark 0x${own.toString(16)}`,
      ...at(rule),
    }));
}

function setFacts(name: string, input: WalkInput, catalog: RuleCatalog): readonly WhoisFact[] {
  const [set = name, entry] = name.includes(' ') ? name.split(/\s+/, 2) : [name];
  const uses = catalog.setUses.get(set) ?? [];
  const own = input.ipsets.get(set);
  const isMember =
    entry === undefined || own === undefined
      ? undefined
      : own.members.some(({ parts }) =>
          parts.some(({ range }) => {
            const asked = addressPattern(entry.split(',')[0] ?? '')?.range.first;
            return (
              asked !== undefined && typeof asked === typeof range.first && range.first <= asked && asked <= range.last
            );
          }),
        );
  const held =
    own === undefined
      ? ''
      : ` holds ${own.members.length} ${own.members.length === 1 ? 'member' : 'members'}${isMember === undefined ? '' : `, ${entry} ${isMember ? 'is' : 'is not'} one of them`}`;
  const asked = uses.map((rule): WhoisFact => {
    const { chain } = rule;
    return {
      kind: 'set',
      sentence: `the set ${set} is asked by ${chain.table.name} ${chain.name} #${rule.number}${rule.comment === undefined ? '' : ` (${rule.comment})`}`,
      ...at(rule),
    };
  });
  return held === '' ? asked : [{ kind: 'set', sentence: `the set ${set}${held}` }, ...asked];
}

function probabilityFacts(value: number, catalog: RuleCatalog): readonly WhoisFact[] {
  const parts = Math.round(1 / value);
  const facts = catalog.chances
    .filter(({ share, whole }) => Math.abs(share / whole - value) < 1e-5)
    .map(
      ({ rule }): WhoisFact => ({
        kind: 'probability',
        sentence: `${rule.chain.name} #${rule.number} takes this share of what came to it${rule.comment === undefined ? '' : ` (${rule.comment})`}`,
        ...at(rule),
      }),
    );
  const isShare = parts >= 1 && Math.abs(value - 1 / parts) < 1e-4;
  return isShare
    ? [
        {
          kind: 'probability',
          sentence: `${value} is one of ${parts} that are left: rules further down share the rest`,
        },
        ...facts,
      ]
    : facts;
}

/** Chains of Services that are not among the rules, by the hash that kube-proxy makes of `namespace/name:port` and protocol. */
function guessed(name: string, guesses: readonly string[]): readonly WhoisFact[] {
  if (!isHashedServiceChain(name) || isEndpointChain(name)) return [];
  const hash = name.slice(-16);
  return guesses.flatMap((guess): WhoisFact[] =>
    ['tcp', 'udp', 'sctp'].flatMap((protocol) =>
      base32Prefix(guess + protocol, 16) === hash
        ? [
            {
              kind: 'guess',
              sentence: `${name} is the name of a chain of Service ${guess}, ${protocol}`,
              service: guess,
            },
          ]
        : [],
    ),
  );
}
