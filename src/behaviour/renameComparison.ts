import type { Value } from '../common/ranges/valueRange.ts';
import { single } from '../common/ranges/valueSet.ts';
import type { WalkRule } from '../walk/input/walkInput.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import type { ComparedDestination } from './compareDestination.ts';
import type { Distribution } from './outcome/distribution.ts';
import type { DecidingRule } from './outcome/outcome.ts';
import { outcomeKey } from './outcome/outcomeKey.ts';
import type { DestinationName } from './packets/destinationNames.ts';
import type { Destination } from './packets/destinations.ts';
import { areEndpoints } from './packets/senderKinds.ts';
import type { DestinationShape } from './shape/destinationShape.ts';

/** A destination that was walked for all others of its shape. */
export interface Walked {
  readonly shape: DestinationShape;
  readonly destination: Destination;
  readonly compared: ComparedDestination;
  /** The rules of the shape, and those of the destination used last: read on demand. */
  rules?: RulesOfSides;
  /** Of the shape: made on demand. */
  endpoints?: ReadonlySet<Value>;
  last?: { readonly shape: DestinationShape; readonly rules: RulesOfSides };
}

type RulesOfSides = readonly (readonly WalkRule[])[];

export interface RenamedTo {
  readonly shape: DestinationShape;
  readonly destination: Destination;
  readonly name: DestinationName;
}

/**
 * Transfers the findings for one destination to another of the same shape: its address and port, its endpoints, its
 * rules. Undefined: a sender to the first is an endpoint of the second, or the second itself.
 */
export function renameComparison(walked: Walked, to: RenamedTo): ComparedDestination | undefined {
  const { shape, destination, compared } = walked;
  const all = [...compared.findings, ...compared.open];
  if (all.length === 0) return { ...compared, arrivals: to.shape.endpoints };
  const values = new Map<Value, Value>([[destination.address, to.destination.address]]);
  for (const [at, endpoint] of shape.endpoints.entries()) values.set(endpoint, to.shape.endpoints[at] ?? endpoint);
  const own = new Set([...to.shape.endpoints, to.destination.address]);
  if (all.some(({ packet }) => own.has(packet.source) && !values.has(packet.source))) return undefined;
  const rename = renamingOf(walked, to, values);
  return {
    findings: compared.findings.map((finding) => renamed(finding, rename, to)),
    open: compared.open.map((finding) => renamed(finding, rename, to)),
    classes: compared.classes,
    arrivals: to.shape.endpoints,
  };
}

function renamingOf(walked: Walked, to: RenamedTo, values: ReadonlyMap<Value, Value>): Renaming {
  const port = portOf(walked.destination, to.destination);
  return {
    value: (value) => values.get(value) ?? value,
    port,
    arrival: (address, at) => {
      walked.endpoints ??= new Set(walked.shape.endpoints);
      if (address === undefined || at === undefined || !walked.endpoints.has(address)) return at;
      const number = walked.shape.targetPorts.indexOf(Number(at));
      return number === -1 ? port(Number(at)) : to.shape.targetPorts[number];
    },
    rule: (decided, side) => {
      walked.rules ??= walked.shape.rules();
      if (walked.last?.shape !== to.shape) walked.last = { shape: to.shape, rules: to.shape.rules() };
      return renamedRule(decided, walked.rules[side] ?? [], walked.last?.rules[side] ?? []);
    },
  };
}

interface Renaming {
  readonly value: (value: Value) => Value;
  readonly port: (port: number | undefined) => number | undefined;
  /** The port at which an endpoint gets packets. */
  readonly arrival: (address: Value | undefined, port: Value | undefined) => Value | undefined;
  readonly rule: (decided: DecidingRule, side: 0 | 1) => DecidingRule;
}

/** For a destination with a port, that port; for all others the free port of the same protocol. */
function portOf(from: Destination, to: Destination): Renaming['port'] {
  return (port) => {
    const at = from.protocolPorts.findIndex((protocolPort) => protocolPort.port === port);
    return at === -1 ? port : to.protocolPorts[at]?.port;
  };
}

function renamed(finding: BehaviourFinding, rename: Renaming, to: RenamedTo): BehaviourFinding {
  return new RenamedFinding(finding, rename, to);
}

/** Distributions are worked out on demand: of many thousand equal ones a few are shown. A class, like LazyRule. */
class RenamedFinding implements BehaviourFinding {
  readonly entrance: BehaviourFinding['entrance'];
  readonly protocols: BehaviourFinding['protocols'];
  readonly like: BehaviourFinding;
  readonly destination: Destination;
  readonly name: DestinationName;
  readonly packet: BehaviourFinding['packet'];
  readonly #rename: Renaming;

  constructor(finding: BehaviourFinding, rename: Renaming, to: RenamedTo) {
    const { entrance, protocols, packet } = finding;
    const source = rename.value(packet.source);
    this.entrance = entrance;
    this.protocols = protocols;
    this.like = finding;
    this.destination = to.destination;
    this.name = to.name;
    this.packet = {
      ...packet,
      source,
      destination: to.destination.address,
      destinationPort: rename.port(packet.destinationPort),
    };
    this.#rename = rename;
  }

  /** Endpoints that fare alike have equals here; others are the same senders. */
  get sources(): BehaviourFinding['sources'] {
    const { sources, packet } = this.like;
    if (areEndpoints(this.entrance)) return sources.flatMap(({ first }) => single(this.#rename.value(first)));
    return this.packet.source === packet.source ? sources : single(this.packet.source);
  }

  get a(): Distribution {
    return renamedOutcomes(this.like.a, 0, this.like, this.#rename);
  }

  get b(): Distribution {
    return renamedOutcomes(this.like.b, 1, this.like, this.#rename);
  }
}

function renamedOutcomes(
  { outcomes, isOpen }: Distribution,
  side: 0 | 1,
  { packet, destination }: BehaviourFinding,
  rename: Renaming,
): Distribution {
  const all = [...outcomes.values()].map(({ outcome, share }) => {
    const { at, source, decidedBy } = outcome;
    const isAsked = at?.address === destination.address && at.port === packet.destinationPort;
    const port = isAsked ? rename.port(packet.destinationPort) : rename.arrival(at?.address, at?.port);
    const other = {
      ...outcome,
      ...(at && { at: { address: at.address === undefined ? undefined : rename.value(at.address), port } }),
      ...(source !== undefined && { source: rename.value(source) }),
      ...(decidedBy && { decidedBy: () => rename.rule(decidedBy(), side) }),
    };
    return [outcomeKey(other, packet.protocol, packet.family === 'ipv6'), { outcome: other, share }] as const;
  });
  return { outcomes: new Map(all), isOpen };
}

/** Rules of the shape are in the same order; all other rules are shared. */
function renamedRule(decided: DecidingRule, from: readonly WalkRule[], to: readonly WalkRule[]): DecidingRule {
  const { rule } = decided;
  if (rule === undefined) return decided;
  const at = from.findIndex(({ chain, number }) => chain === rule.chain && number === rule.number);
  const other = to[at];
  return other === undefined ? decided : { chain: other.chain, rule: other };
}
