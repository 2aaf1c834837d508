import type { Binding, Flow, FlowConnection, Supposed } from '../flow.ts';
import { withSupposed } from '../flowShape.ts';
import { valuesText } from '../values/text.ts';
import { keptOf, type Trail, trailItems } from '../values/trail.ts';

/**
 * Of the ways after conditions with unknown answers, keeps one for each state: each such condition doubles the ways,
 * and if many are open, nobody learns anything from the rules that they met. A few are kept apart.
 */
export function mergeOpen(flows: readonly Flow[]): readonly Flow[] {
  if (flows.length <= mostApart) return flows;
  const kept = new Map<string | symbol, Flow>();
  for (const flow of flows) {
    // Random choices, and what a packet left in lists, do not make a different state.
    const isOfItsOwn = flow.share !== undefined || flow.choices !== undefined || flow.memory !== undefined;
    const state = isOfItsOwn ? Symbol() : stateOf(flow);
    const before = kept.get(state);
    kept.set(state, before === undefined ? flow : withSupposed(before, inCommon(before.supposed, flow.supposed)));
  }
  return [...kept.values()];
}

const mostApart = 32;

function stateOf({ packet, entry, mark, connection, ...flow }: Flow): string {
  const ends = [packet, entry].flatMap(({ source, destination, sourcePort, destinationPort, protocol }) =>
    [source, destination, sourcePort, destinationPort, protocol].map(valuesText),
  );
  const { inInterface, outInterface, inPort, outPort, nextHop, newRoute, leg, isBridged, isOfIpvs } = flow;
  const way = [inInterface, outInterface, inPort, outPort, nextHop, newRoute?.device, newRoute?.nextHop];
  const { dscp, ecn, hopLimit } = flow.header ?? {};
  const told = [dscp, ecn, hopLimit, flow.zone?.original, flow.zone?.reply];
  return [...ends, mark, ...way, leg, isBridged, isOfIpvs, ...told, connectionOf(connection)].join(' ');
}

function connectionOf(connection: FlowConnection): string {
  const { state, found, direction, original, destinationBinding, sourceBinding, mark, ipvsServer } = connection;
  const tuple = original && [original.source, original.destination, original.sourcePort, original.destinationPort];
  const server = ipvsServer && `${ipvsServer.address}:${ipvsServer.port}`;
  const { hasSeenReply, isKnown, isSettled, zone, counts } = connection;
  const bindings = [destinationBinding, sourceBinding].map(bindingOf);
  const facts = [state, found, direction, mark, server, hasSeenReply, isKnown, isSettled, zone?.original, zone?.reply];
  const counted = [counts?.original, counts?.reply].map((one) => `${one?.packets}:${one?.least}:${one?.most}`);
  return [...facts, ...counted, ...bindings, ...(tuple ?? []).map(valuesText)].join(' ');
}

function bindingOf(binding: Binding | undefined): string {
  if (binding === undefined) return '';
  const { address, port, isAddressUnknown, isPortDrawn } = binding;
  return [`bound ${address}`, port, isAddressUnknown, isPortDrawn].join(':');
}

/** What both ways take for true: about the rest, a way that stands for both has not been asked. */
function inCommon(one: Trail<Supposed> | undefined, other: Trail<Supposed> | undefined): Trail<Supposed> | undefined {
  const answers = new Map(trailItems(other).map(({ question, holds }) => [question, holds]));
  return keptOf(one, ({ question, holds }) => answers.get(question) === holds);
}
