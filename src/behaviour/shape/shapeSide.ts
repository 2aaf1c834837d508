import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import type { Destination } from '../packets/destinations.ts';
import { type AskedSenders, askedSenders } from './askedSenders.ts';
import { fixedPorts } from './fixedPorts.ts';
import type { Mention } from './ruleMentions.ts';
import { sharedChains } from './sharedChains.ts';

/** What the rules of one side mention, to be found by destination. */
export interface ShapeSide {
  readonly context: WalkContext;
  readonly byAddress: ReadonlyMap<Value, readonly Mention[]>;
  readonly byNodePort: ReadonlyMap<Value, readonly Mention[]>;
  /** Elements for one address as sender and destination: endpoints that reach themselves. */
  readonly hairpins: ReadonlyMap<Value, readonly Mention[]>;
  /** Networks of destinations that rules match. */
  readonly ranges: readonly ValueRange[];
  /** Ports that rules match at any address. */
  readonly ports: readonly ValueRange[];
  /** How rules for all destinations tell senders apart. */
  readonly asked: AskedSenders;
  /** A port that stands for itself where packets are sent on to it. */
  readonly isFixedPort: (port: number) => boolean;
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
  const wide = context.input.tables.flatMap((table) =>
    sharedChains(table, context).flatMap((chain) => chainRules(chain, context).filter((rule) => !narrow.has(rule))),
  );
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
  return {
    context,
    byAddress,
    byNodePort,
    hairpins,
    ranges,
    ports,
    asked: askedSenders(wide, context),
    isFixedPort: fixedPorts(wide, byNodePort),
    placeOf,
  };
}

function append<K>(map: Map<K, Mention[]>, key: K, mention: Mention): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [mention]);
  else known.push(mention);
}

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
