import type { ValueSet } from '../../common/ranges/valueSet.ts';
import type { Binding, Flow, FlowConnection } from '../flow.ts';

/**
 * Of the ways after conditions with unknown answers, keeps one for each state: each such condition doubles the ways,
 * and if many are open, nobody learns anything from the rules that they met. A few are kept apart.
 */
export function mergeOpen(flows: readonly Flow[]): readonly Flow[] {
  if (flows.length <= mostApart) return flows;
  const seen = new Set<string>();
  return flows.filter((flow) => {
    // Random choices, and what a packet left in lists, do not make a different state.
    if (flow.share !== undefined || flow.choices !== undefined || flow.memory !== undefined) return true;
    const key = stateOf(flow);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const mostApart = 32;

function stateOf({ packet, entry, mark, connection, ...flow }: Flow): string {
  const ends = [packet, entry].flatMap(({ source, destination, sourcePort, destinationPort, protocol }) =>
    [source, destination, sourcePort, destinationPort, protocol].map(textOf),
  );
  const { inInterface, outInterface, inPort, outPort, nextHop, newRoute, leg, isBridged, isOfIpvs } = flow;
  const way = [inInterface, outInterface, inPort, outPort, nextHop, newRoute?.device, newRoute?.nextHop];
  const { dscp, ecn, hopLimit } = flow.header ?? {};
  const told = [dscp, ecn, hopLimit, flow.zone?.original, flow.zone?.reply];
  return [...ends, mark, ...way, leg, isBridged, isOfIpvs, ...told, connectionOf(connection)].join(' ');
}

function textOf(values: ValueSet | undefined): string {
  return (values ?? []).map(({ first, last }) => `${first}-${last}`).join(',');
}

function connectionOf(connection: FlowConnection): string {
  const { state, found, direction, original, destinationBinding, sourceBinding, mark, ipvsServer } = connection;
  const tuple = original && [original.source, original.destination, original.sourcePort, original.destinationPort];
  const server = ipvsServer && `${ipvsServer.address}:${ipvsServer.port}`;
  const { hasSeenReply, isKnown, isSettled, zone, counts } = connection;
  const bindings = [destinationBinding, sourceBinding].map(bindingOf);
  const facts = [state, found, direction, mark, server, hasSeenReply, isKnown, isSettled, zone?.original, zone?.reply];
  const counted = [counts?.original, counts?.reply].map((one) => `${one?.packets}:${one?.least}:${one?.most}`);
  return [...facts, ...counted, ...bindings, ...(tuple ?? []).map(textOf)].join(' ');
}

function bindingOf(binding: Binding | undefined): string {
  if (binding === undefined) return '';
  const { address, port, isAddressUnknown, isPortDrawn } = binding;
  return [`bound ${address}`, port, isAddressUnknown, isPortDrawn].join(':');
}
