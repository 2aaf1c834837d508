import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import type { Destination } from '../packets/destinations.ts';
import type { Mention } from './ruleMentions.ts';
import { sharedChains } from './sharedChains.ts';

/** What the rules of one side mention, to be found by destination. */
export interface ShapeSide {
  readonly context: WalkContext;
  readonly byAddress: ReadonlyMap<Value, readonly Mention[]>;
  readonly byNodePort: ReadonlyMap<Value, readonly Mention[]>;
  /** Elements for one address as sender and destination: endpoints that reach themselves. */
  readonly hairpins: ReadonlyMap<Value, readonly Mention[]>;
  /** Networks that rules match, of senders or destinations. */
  readonly ranges: readonly ValueRange[];
  /** Ports that rules match at any address. */
  readonly ports: readonly ValueRange[];
  /** Addresses that rules match as senders. */
  readonly sources: ReadonlySet<Value>;
  /** How many rules for all destinations come before a rule in its chain. */
  readonly placeOf: (rule: WalkRule) => number;
}

export function shapeSide(context: WalkContext, mentions: readonly Mention[]): ShapeSide {
  const byAddress = new Map<Value, Mention[]>();
  const byNodePort = new Map<Value, Mention[]>();
  const hairpins = new Map<Value, Mention[]>();
  const ranges: ValueRange[] = [];
  const ports: ValueRange[] = [];
  const narrow = new Set<WalkRule>();
  for (const mention of mentions) {
    const { address, port, isNodePort, origin, source } = mention;
    if (source !== undefined && source === address?.first) {
      append(hairpins, source, mention);
      continue;
    }
    if (address !== undefined && address.first === address.last) {
      append(byAddress, address.first, mention);
      if (origin.kind === 'rule') narrow.add(origin.rule);
    } else if (address === undefined && isNodePort && port !== undefined) {
      append(byNodePort, port.first, mention);
      if (origin.kind === 'rule') narrow.add(origin.rule);
    } else {
      if (address !== undefined) ranges.push(address);
      if (port !== undefined) ports.push(port);
    }
  }
  const sources = new Set<Value>();
  for (const table of context.input.tables) {
    for (const chain of sharedChains(table, context)) {
      for (const rule of chainRules(chain, context)) if (!narrow.has(rule)) noteSources(rule, ranges, sources);
    }
  }
  const places = new Map<WalkChain, ReadonlyMap<WalkRule, number>>();
  const placeOf = (rule: WalkRule): number => {
    let known = places.get(rule.chain);
    if (known === undefined) {
      const made = new Map<WalkRule, number>();
      let before = 0;
      for (const one of chainRules(rule.chain, context)) {
        made.set(one, before);
        if (!narrow.has(one)) before += 1;
      }
      known = made;
      places.set(rule.chain, known);
    }
    return known.get(rule) ?? 0;
  };
  return { context, byAddress, byNodePort, hairpins, ranges, ports, sources, placeOf };
}

function append<K>(map: Map<K, Mention[]>, key: K, mention: Mention): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [mention]);
  else known.push(mention);
}

/** Senders that a rule for all destinations matches: networks make classes, single addresses are distinguished. */
function noteSources(rule: WalkRule, ranges: ValueRange[], sources: Set<Value>): void {
  for (const step of rule.steps) {
    if (step.kind !== 'ask') continue;
    const open = [step.condition];
    for (const condition of open) {
      if (condition.kind === 'all' || condition.kind === 'any') open.push(...condition.conditions);
      else if (condition.kind === 'not') open.push(condition.condition);
      else if (condition.kind === 'values' && sourceFields.has(condition.field)) {
        for (const range of condition.ranges) {
          if (range.first === range.last) sources.add(range.first);
          else ranges.push(range);
        }
      }
    }
  }
}

const sourceFields: ReadonlySet<string> = new Set(['source', 'originalSource', 'replySource', 'replyDestination']);

/** The mentions that packets to the destination may meet, in the order of the rules. */
export function entriesOf(side: ShapeSide, { address, use, protocolPorts }: Destination): readonly Mention[] {
  const own = side.byAddress.get(address) ?? [];
  const [protocolPort] = protocolPorts;
  if (use === 'other') return own.filter(({ port }) => port === undefined);
  const isMet = ({ protocol, port }: Mention) =>
    (protocol === undefined ||
      (protocol.first <= (protocolPort?.protocol ?? 0) && (protocolPort?.protocol ?? 0) <= protocol.last)) &&
    (port === undefined ||
      (protocolPort?.port !== undefined && port.first <= protocolPort.port && protocolPort.port <= port.last));
  const isHere = protocolPort?.port !== undefined && isLocalAddress(address, side.context);
  const nodePorts = isHere ? (side.byNodePort.get(protocolPort.port) ?? []).filter(isMet) : [];
  return [...own.filter(isMet), ...nodePorts];
}
