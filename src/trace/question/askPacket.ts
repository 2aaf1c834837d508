import type { Family } from '../../common/addresses/family.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { single } from '../../common/ranges/valueSet.ts';
import type { ConnectionState } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../../walk/context.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import { sourceTowards } from '../../walk/sourceTowards.ts';
import { addressText } from '../../walk/values/text.ts';
import { isLoopback } from '../../walk/ways.ts';
import type { AskProblem } from './askProblem.ts';
import { familyOfValue } from './familyOfValue.ts';
import { hasPorts } from './hasPorts.ts';
import { interfaceTo } from './interfaceTo.ts';
import type { NamedThings } from './namedThings.ts';
import { protocolNumbers } from './protocolName.ts';
import { type AskedParty, readParty } from './readParty.ts';
import type { TracePacket } from './tracePacket.ts';

/** A packet in the form in which a person or a program asks about it. */
export interface PacketQuestion {
  readonly from: string;
  readonly to: string;
  readonly proto?: string | undefined;
  readonly in?: string | undefined;
  readonly physin?: string | undefined;
  readonly flags?: string | undefined;
  readonly state?: string | undefined;
  readonly mark?: string | undefined;
}

export type AskedPacket = { readonly kind: 'packet'; readonly packet: TracePacket } | AskProblem;

/** Decides what the question leaves open: addresses of names, the source that the node chooses, the interface. */
export function askPacket(
  question: PacketQuestion,
  family: Family,
  names: NamedThings,
  context: WalkContext,
): AskedPacket {
  const named = protocolNumbers.get((question.proto ?? 'tcp').toLowerCase());
  if (named === undefined)
    return problem(`unknown protocol ${question.proto}: it is one of tcp, udp, sctp, icmp, icmpv6`);
  // In IPv6, `icmp` means ICMPv6.
  const protocol = named === 1 && family === 'ipv6' ? 58 : named;
  const destination = destinationOf(question.to, family, protocol, names, context);
  if ('kind' in destination) return destination;
  const source = sourceOf(question, family, destination.address, names, context);
  if ('kind' in source) return source;
  const { origin } = source;
  const badInterface = interfaceProblem(question, origin, source.address, context);
  if (badInterface !== undefined) return problem(badInterface);
  const state = question.state === undefined ? undefined : states.get(question.state);
  if (question.state !== undefined && state === undefined)
    return problem(`unknown state ${question.state}: it is one of ${[...states.keys()].join(', ')}`);
  if (question.flags !== undefined && !/^[SAFRPU]*$/i.test(question.flags))
    return problem(`unknown flags ${question.flags}: letters of S, A, F, R, P, U`);
  const mark = question.mark === undefined ? 0 : Number(question.mark);
  if (!Number.isInteger(mark) || mark < 0 || mark > 0xffffffff) return problem(`${question.mark} is not a mark`);
  return {
    kind: 'packet',
    packet: {
      family,
      protocol,
      source: source.address,
      sourcePort: source.port,
      destination: destination.address,
      destinationPort: destination.port,
      origin,
      inInterface: origin === 'local' ? undefined : (question.in ?? interfaceTo(source.address, context)),
      inPort: question.physin,
      flags: question.flags,
      state,
      mark,
    },
  };
}

const states: ReadonlyMap<string, ConnectionState> = new Map([
  ['new', 'new'],
  ['established', 'established'],
  ['related', 'related'],
  ['invalid', 'invalid'],
  ['untracked', 'untracked'],
]);

interface End {
  readonly address: Value;
  readonly port: number | undefined;
}

function problem(message: string): AskProblem {
  return { kind: 'problem', message };
}

function unknownParty(option: '--from' | '--to', text: string, message: string, names: NamedThings): AskProblem {
  const meant = names.meant(text, option === '--from' ? 'sender' : undefined);
  return problem(`${option} ${text}: ${message}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
}

function destinationOf(
  text: string,
  family: Family,
  protocol: number,
  names: NamedThings,
  context: WalkContext,
): End | AskProblem {
  const party = readParty(text);
  if (party === undefined)
    return unknownParty('--to', text, 'give an address, a Pod or Service (namespace/name) or node, with a port', names);
  // A ping has no port: any port will do that finds the address.
  const isPing = party.kind === 'object' && party.port === undefined && !hasPorts(protocol);
  const end = endOf(isPing ? { ...party, port: '0' } : party, family, names, context);
  if ('kind' in end)
    return end.isUnknown ? unknownParty('--to', text, end.message, names) : problem(`--to ${text}: ${end.message}`);
  if (familyOfValue(end.address) !== family) return problem(`--to ${text} and --from are of different families`);
  const needsPort = hasPorts(protocol) && end.port === undefined;
  if (needsPort) return problem(`--to ${text}: which port? ${portHint(text)}`);
  return hasPorts(protocol) ? end : { ...end, port: undefined };
}

function portHint(text: string): string {
  return text.includes(':') && !text.includes('/') && !text.includes('.')
    ? `write [${text}]:PORT`
    : `write ${text}:PORT`;
}

function sourceOf(
  question: PacketQuestion,
  family: Family,
  destination: Value,
  names: NamedThings,
  context: WalkContext,
): (End & { readonly origin: 'local' | 'forwarded' }) | AskProblem {
  const text = question.from;
  const party = readParty(text);
  if (party === undefined)
    return unknownParty('--from', text, 'give an address, a Pod (namespace/name), node, node/NAME or outside', names);
  if (isThisNode(party, names, context)) {
    const address = sourceTowards(single(destination), context);
    if (address === undefined || isLeftOver(address, destination, context))
      return problem(`the node has no route to ${addressText(destination)}, or no address to send from`);
    return { address, port: party.kind === 'node' ? party.port : undefined, origin: 'local' };
  }
  const end = isServiceAlone(party, names)
    ? { ...problem('a Service sends nothing: name a Pod'), isUnknown: true }
    : endOf(party.kind === 'object' ? { ...party, of: 'pod' } : party, family, names, context);
  if ('kind' in end)
    return end.isUnknown ? unknownParty('--from', text, end.message, names) : problem(`--from ${text}: ${end.message}`);
  if (familyOfValue(end.address) !== family) return problem(`--from ${text} and --to are of different families`);
  const isOwn = isLocalAddress(end.address, context);
  return { ...end, origin: isOwn && question.in === undefined ? 'local' : 'forwarded' };
}

function isThisNode(party: AskedParty, names: NamedThings, { input }: WalkContext): boolean {
  const { node } = input.topology;
  if (party.kind === 'node') return party.name === undefined || party.name === node;
  return (
    party.kind === 'object' && party.of !== 'service' && node !== undefined && names.nodeOfHostPod(party.name) === node
  );
}

/** Packets come from Pods: a name that a Pod and a Service share is that of the Pod. */
function isServiceAlone(party: AskedParty, names: NamedThings): boolean {
  if (party.kind !== 'object' || party.of === 'pod') return false;
  if (party.of === 'service') return true;
  return names.podAddresses(party.name).length === 0 && names.serviceAddresses(party.name).length > 0;
}

/** ::1 is chosen if no other address is known: a node that sends has one. */
function isLeftOver(source: Value, destination: Value, { input }: WalkContext): boolean {
  return input.topology.assumed.has('interfaces') && isLoopback(source) && !isLoopback(destination);
}

function endOf(party: AskedParty, family: Family, names: NamedThings, context: WalkContext): End | AskProblem {
  switch (party.kind) {
    case 'address':
      return { address: party.address, port: party.port };
    case 'outside':
      return { address: names.outsideAddress(family), port: undefined };
    case 'node': {
      const isOwn = party.name === undefined || party.name === context.input.topology.node;
      const address =
        party.name === undefined || isOwn ? names.ownAddress(family, context) : names.nodeAddress(party.name, family);
      if (address !== undefined) return { address, port: party.port };
      return isOwn
        ? problem(`the node's ${family} address is unknown: pass it with --node-ip`)
        : { ...problem(`unknown node ${party.name}`), isUnknown: true };
    }
    case 'object':
      return names.find(party.name, party.port, family, party.of);
  }
}

function interfaceProblem(
  question: PacketQuestion,
  origin: 'local' | 'forwarded',
  source: Value,
  context: WalkContext,
): string | undefined {
  const { interfaces } = context.input.topology;
  if (question.in === undefined) return undefined;
  if (origin === 'local') return '--in is for packets that come from elsewhere, not from the node';
  if (interfaces.size > 0 && !interfaces.has(question.in)) {
    return `--in ${question.in}: the node has no such interface; it has ${[...interfaces.keys()].slice(0, 20).join(', ')}`;
  }
  return isLocalAddress(source, context)
    ? `${addressText(source)} is an address of the node itself: the kernel drops it when it comes by ${question.in}; leave --in out`
    : undefined;
}
