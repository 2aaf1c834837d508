import { base32Prefix } from '../../common/base32.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import type { QuietPod } from '../../model/quietPodsOf.ts';
import { isEndpointChain, isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import { addressText } from '../../walk/values/text.ts';
import { type CatalogChain, type RuleCatalog, ruleCatalog } from '../known/ruleCatalog.ts';
import type { HealthCheckPort } from '../known/traceObjects.ts';
import type { HostPod, NamedDestination } from '../question/namedThings.ts';
import { readParty } from '../question/readParty.ts';
import { otherNameFacts, unseenChainFacts } from './chainNameFacts.ts';
import { entranceFact, entranceText, fewEnds, targetsBelow } from './entranceFact.ts';
import { healthCheckFacts } from './healthCheckFacts.ts';
import { hostPodFacts } from './hostPodFacts.ts';
import { hostPortFacts } from './hostPortFacts.ts';
import { mentionFacts } from './mentionFacts.ts';
import { closedFacts, portFacts } from './portFacts.ts';
import { probabilityFacts } from './probabilityFacts.ts';
import { quietPodFacts } from './quietPodFacts.ts';
import { type End, readEnd } from './readEnd.ts';
import { roleOf } from './roleOf.ts';
import { serverFacts } from './serverFacts.ts';
import { setFacts } from './setFacts.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** What is known apart from the rules. */
export interface WhoisKnown {
  /** `namespace/name:port` whose chains may have the name. */
  readonly guesses?: readonly string[];
  /** What objects have at addresses and ports. */
  readonly destinations?: readonly NamedDestination[];
  /** Ports of the node that Pods request. */
  readonly hostPorts?: readonly HostPort[];
  readonly quietPods?: readonly QuietPod[];
  readonly hostPods?: (() => readonly HostPod[]) | undefined;
  readonly healthChecks?: readonly HealthCheckPort[];
  /** Services that get no rules, by `namespace/name`, with the reason. */
  readonly withoutRules?: ReadonlyMap<string, string> | undefined;
}

/** Explains a name on a node: a chain, an address with or without a port, a node port, a mark, a set, a probability. */
export function whois(name: string, inputs: readonly WalkInput[], known: WhoisKnown = {}): readonly WhoisFact[] {
  const { guesses = [], destinations = [], hostPorts = [], healthChecks = [], quietPods = [], hostPods } = known;
  const catalogs = inputs.map((input) => ({ input, catalog: ruleCatalog(input) }));
  const facts = catalogs.flatMap(({ input, catalog }) => factsOf(name, input, catalog, { hostPorts, healthChecks }));
  const others =
    facts.length > 0
      ? []
      : [
          ...catalogs.flatMap(({ catalog }) => otherNameFacts(name, catalog)),
          ...catalogs.flatMap(({ input, catalog }) => mentionFacts(name, input, catalog)),
          ...closedFacts(name, catalogs, destinations),
          ...quietPodFacts(name, quietPods),
          ...(hostPods === undefined ? [] : hostPodFacts(name, hostPods)),
          ...withoutRulesFacts(name, known.withoutRules),
        ];
  const seen = new Set<string>();
  return [...facts, ...others, ...guessed(name, guesses)].filter(
    ({ sentence }) => !seen.has(sentence) && seen.add(sentence),
  );
}

/** A Service that kube-proxy leaves out, by its name. */
function withoutRulesFacts(name: string, services: ReadonlyMap<string, string> = new Map()): readonly WhoisFact[] {
  const party = readParty(name);
  if (party?.kind !== 'object' || party.of === 'pod') return [];
  const reason = services.get(party.name);
  if (reason === undefined) return [];
  const sentence = `${party.name} is a Service for which kube-proxy has no rules (${reason})`;
  return [{ kind: 'closed', sentence, service: party.name }];
}

function factsOf(
  name: string,
  input: WalkInput,
  catalog: RuleCatalog,
  { hostPorts, healthChecks }: Required<Pick<WhoisKnown, 'hostPorts' | 'healthChecks'>>,
): readonly WhoisFact[] {
  const end = readEnd(name);
  const port = /^\d{1,5}$/.test(name) ? Number(name) : undefined;
  return [
    ...catalog.chains.filter(({ chain }) => chain.name === name).map((chain) => chainFact(chain, catalog)),
    ...unseenChainFacts(name, catalog),
    ...(end === undefined ? [] : endFacts(end, input, catalog)),
    ...(port === undefined ? [] : portFacts(port, input, catalog)),
    ...(port === undefined ? [] : healthCheckFacts(port, input, catalog, healthChecks)),
    ...hostPortFacts(end ?? (port === undefined ? {} : { port }), input, catalog, hostPorts),
    ...(/^0x[0-9a-f]{1,8}$/i.test(name) ? markFacts(Number(name), catalog) : []),
    ...setFacts(name, input, catalog),
    ...(/^[01]?\.\d+$/.test(name) ? probabilityFacts(Number(name), catalog) : []),
  ];
}

function chainFact({ chain, service, targets, leadsTo, callers }: CatalogChain, catalog: RuleCatalog): WhoisFact {
  const rules = chain.rules().length;
  const own = service === undefined ? '' : ` of Service ${service}`;
  const ends = targetsBelow(chain, catalog);
  const to =
    targets.length > 0
      ? `; translates to ${fewEnds(targets)}`
      : ends.length > 0
        ? `; leads to ${fewEnds(ends)}`
        : leadsTo.length > 0
          ? `; leads to ${firstFew(leadsTo, 10)}`
          : '';
  const ways = catalog.entrances.filter((entrance) => entrance.chain === chain.name && entrance.port !== undefined);
  const by =
    ways.length > 0
      ? `; reached by ${firstFew(ways.map(entranceText), 20)}`
      : callers.length > 0
        ? `; called by ${firstFew([...new Set(callers.map((rule) => rule.chain.name))], 10)}`
        : '; no rule calls it';
  const role = roleOf(chain.name);
  return {
    kind: 'chain',
    sentence: `${chain.name} is ${role} in the table ${chain.table.name}${own}: ${rules} ${rules === 1 ? 'rule' : 'rules'}${to}${by}`,
    ...(service !== undefined && { service }),
    ...placeOf(chain.rules()[0]),
  };
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
        ...placeOf(chain.chain.rules().at(-1)),
      });
    }
  }
  for (const fact of serverFacts({ address, port }, input)) facts.push(fact);
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

function markFacts(bits: number, catalog: RuleCatalog): readonly WhoisFact[] {
  return catalog.marks
    .filter((use) => (use.bits & bits) !== 0)
    .map(({ rule, use, bits: own }) => ({
      kind: 'mark',
      sentence: `${rule.chain.table.name} ${rule.chain.name} #${rule.number} ${use} the mark 0x${own.toString(16)}`,
      ...placeOf(rule),
    }));
}

/**
 * Chains of Services that are not among the rules, by the hash that kube-proxy makes from `namespace/name:port` and
 * protocol.
 */
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
