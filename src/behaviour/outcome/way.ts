import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Finding } from '../../findings/finding.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import { serviceOfChain } from '../../trace/known/serviceOfChain.ts';
import { setsOfRule } from '../../trace/known/setsOfRule.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import type { TracePacket } from '../../trace/question/tracePacket.ts';
import type { TraceResult } from '../../trace/traceResult.ts';
import type { WalkInput, WalkRule } from '../../walk/input/walkInput.ts';
import { addressText, endText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';

/** What the packets of one question meet on all their ways. */
export interface Way {
  readonly chains: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  /** Sets and maps that rules of these chains use. */
  readonly sets: ReadonlySet<string>;
  /** IPVS's name for the destination address. */
  readonly virtualServer: string;
  readonly destination: string;
  /** In the form of set elements, before and after each translation. */
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<string>;
}

export function wayOf({ packet, outcomes }: TraceResult, input: WalkInput): Way {
  const chains = new Set<string>();
  const places = new Set<string>();
  const services = new Set<string>();
  for (const { first, later, reply } of outcomes) {
    for (const walk of [first, later, reply]) {
      for (const { chain, rule, target } of trailItems(walk?.flow.path)) {
        chains.add(chain.name);
        if (target !== undefined) chains.add(target);
        const named = servicePortInComment(rule?.comment);
        if (named !== undefined) services.add(named);
        for (const place of [rule, chain.place]) {
          if (place?.line !== undefined) places.add(`${place.file}:${place.line}`);
        }
      }
    }
  }
  // A large node has half a million rules: those of other chains are not read.
  const sets = new Set<string>();
  for (const table of input.tables) {
    for (const name of chains) {
      const rules = table.chains.get(name)?.rules();
      if (rules === undefined) continue;
      const service = serviceOfChain(name, () => firstNamed(rules));
      if (service !== undefined) services.add(service);
      for (const rule of rules) for (const set of setsOfRule(rule)) sets.add(set);
    }
  }
  const { destination, destinationPort } = packet;
  return {
    chains,
    places,
    services,
    sets,
    virtualServer: `${endText(destination, destinationPort)}/${protocolName(packet.protocol)}`,
    destination: addressText(destination),
    ...ends(packet, outcomes),
  };
}

function firstNamed(rules: readonly WalkRule[]): string | undefined {
  for (const { comment } of rules) {
    const named = servicePortInComment(comment);
    if (named !== undefined) return named;
  }
  return undefined;
}

function ends(packet: TracePacket, outcomes: TraceResult['outcomes']): Pick<Way, 'addresses' | 'ports'> {
  const last = outcomes.map(({ first }) => first.flow.packet);
  const only = (values: ValueSet | undefined) => (values === undefined ? [] : (onlyValue(values) ?? []));
  const addresses = [packet.source, packet.destination, ...last.flatMap((one) => only(one.destination))];
  const ports = [packet.destinationPort ?? [], last.flatMap((one) => only(one.destinationPort))].flat();
  return { addresses: new Set(addresses.map(addressText)), ports: new Set(ports.map(String)) };
}

/**
 * Whether a finding is about something that the packets meet. Rules of other Services do not matter to this packet,
 * even in a chain that it passes.
 */
export function isOnWay({ service, found, rules = [], isAdvice }: Finding, way: Way): boolean {
  // A server that waits for its connections to end is advice, and gets no new ones.
  if (rules.some(({ table, chain }) => table === 'ipvs' && chain === way.virtualServer)) return true;
  if (isAdvice) return false;
  // Rules of IPVS mode do not name Services: the content of a set's elements identifies them.
  if (service !== undefined && way.services.size === 0) return rules.some((change) => isAskedOf(change, way));
  if (service !== undefined) {
    return [...way.services].some(
      (own) => own === service || own.startsWith(`${service}:`) || service.startsWith(`${own}:`),
    );
  }
  // About the node as a whole.
  if (rules.length === 0 && found.length === 0) return true;
  return (
    rules.some((change) => way.chains.has(change.chain) || isAskedOf(change, way)) ||
    found.some(({ file, line }) => way.places.has(`${file}:${line}`))
  );
}

/** The element of a set, or the address of the node, that decides about this packet. */
function isAskedOf({ table, chain, expected, found }: RuleChange, way: Way): boolean {
  const texts = [expected ?? [], found ?? []].flat();
  if (table === 'addresses') return texts.includes(way.destination);
  if (!way.sets.has(chain.replace(/^(?:set|map) /, ''))) return false;
  return texts.some((text) => {
    const words = text.split(/[ ,]+/);
    const addresses = words.filter((word) => /\d\.\d|:.*:/.test(word));
    // Also the set itself.
    if (addresses.length > 0) return addresses.some((word) => way.addresses.has(word));
    return !/\d/.test(text) || words.some((word) => way.ports.has(word.replace(/^\w+:/, '')));
  });
}
