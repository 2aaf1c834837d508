import type { Rejection } from '../../netfilter/meaning.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Flow, FlowConnection } from '../flow.ts';
import { copyOfConnection, copyOfFlow } from '../flowShape.ts';
import { sharedWalkChains } from '../input/walkChains.ts';
import type { Hook, WalkChain, WalkInput } from '../input/walkInput.ts';
import { counted } from './connectionCounts.ts';
import type { Left, UnseenChain } from './followOutcome.ts';
import { lookedUpInZone } from './inZone.ts';
import { type IpvsStage, ipvsStages } from './ipvs.ts';
import { mergeOpen } from './mergeOpen.ts';
import { bound, translated } from './nat.ts';
import { walkBaseChain } from './walkBaseChain.ts';

/** A flow whose way has ended, and how. */
export interface Ended {
  readonly flow: Flow;
  readonly end: End;
}

export type End =
  | { readonly kind: 'leaves' | 'delivered' | 'bridged' | 'dropped' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection; readonly byIpvs?: true }
  | { readonly kind: 'unroutable'; readonly why: string }
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly unseen?: UnseenChain;
      /** IPVS decides, by virtual servers that nothing shows. */
      readonly byIpvs?: true;
    };

/** What passed a hook, what ended there, and what IPVS took out of it. */
export interface Through {
  readonly alive: readonly Flow[];
  readonly ended: readonly Ended[];
  readonly taken: readonly Flow[];
}

/** The stations of one hook, by priority: base chains, conntrack, NAT as a whole, IPVS. */
export type Station =
  | { readonly kind: 'chain'; readonly priority: number; readonly chain: WalkChain }
  | { readonly kind: 'conntrack'; readonly priority: number }
  | { readonly kind: 'nat'; readonly priority: number; readonly chains: readonly WalkChain[] }
  | { readonly kind: 'ipvs'; readonly priority: number; readonly stage: IpvsStage };

/**
 * Walks a whole hook. `rerouted` is called after a station that changed what decides the route of the node's own
 * packets.
 */
export function walkHook(
  hook: Hook,
  flow: Flow,
  context: WalkContext,
  rerouted: (before: Flow, after: Flow, station: Station) => Flow | Ended = (_, after) => after,
): Through {
  const ended: Ended[] = [];
  const taken: Flow[] = [];
  const begun = copyOfFlow(flow);
  begun.hook = hook;
  let alive: readonly Flow[] = [begun];
  for (const station of stationsOf(hook, context)) {
    if (alive.length === 0) break;
    const next: Flow[] = [];
    for (const before of alive) {
      for (const result of pass(station, before, hook, context)) {
        if ('taken' in result) {
          taken.push(result.taken);
        } else if (result.verdict !== 'accept') {
          ended.push({ flow: result.flow, end: endOf(result) });
        } else {
          const after = rerouted(before, result.flow, station);
          if ('end' in after) ended.push(after);
          else if (next.length < mostWays) next.push(after);
          else ended.push({ flow: after, end: { kind: 'unknown', why: 'there are more ways than can be followed' } });
        }
      }
    }
    alive = mergeOpen(next);
  }
  return { alive, ended, taken };
}

/** Far more endpoints than any rules balance over. */
const mostWays = 20_000;

function endOf({ verdict, rejection, byIpvs, why, unseen }: Left): End {
  if (verdict === 'unknown')
    return { kind: 'unknown', why: why ?? '', ...(unseen !== undefined && { unseen }), ...(byIpvs && { byIpvs }) };
  return rejection === undefined ? { kind: 'dropped' } : { kind: 'rejected', rejection, ...(byIpvs && { byIpvs }) };
}

function pass(
  station: Station,
  flow: Flow,
  hook: Hook,
  context: WalkContext,
): readonly (Left | { readonly taken: Flow })[] {
  switch (station.kind) {
    case 'chain':
      return isOnDevice(station.chain, flow, hook)
        ? walkBaseChain(station.chain, flow, context)
        : [{ flow, verdict: 'accept' }];
    case 'conntrack':
      return [{ flow: lookedUp(flow, context), verdict: 'accept' }];
    case 'nat':
      return passNat(station.chains, flow, hook, context);
    case 'ipvs':
      return station.stage(flow, context);
  }
}

/** Chains of ingress and egress see the packets of their devices: on a bridge, of its port. */
function isOnDevice({ base }: WalkChain, flow: Flow, hook: Hook): boolean {
  if (hook !== 'ingress' && hook !== 'egress') return true;
  const device = hook === 'ingress' ? (flow.inPort ?? flow.inInterface) : (flow.outPort ?? flow.outInterface);
  const isNamed = (name: string) => (name.endsWith('*') ? device?.startsWith(name.slice(0, -1)) : name === device);
  return (base?.devices ?? []).some(isNamed);
}

/** Conntrack looks the packet up: earlier rules cannot match its state. Over lo it has been looked up already. */
function lookedUp(flow: Flow, context: WalkContext): Flow {
  const { connection } = flow;
  if (connection.state === 'untracked' || flow.leg === 2) return flow;
  if (connection.state !== 'invalid' || connection.isSettled) {
    return withState(flow, connection);
  }
  const next = withState(flow, counted(flow, lookedUpInZone(flow, context)));
  next.zone = undefined;
  return next;
}

function withState(flow: Flow, connection: FlowConnection) {
  const [next, own] = [copyOfFlow(flow), copyOfConnection(connection)];
  own.state = connection.found;
  next.connection = own;
  return next;
}

/**
 * The nat chains of a hook are walked in turn until one binds, and only if this half of the connection is undecided.
 * Everything else is translated without them.
 */
function passNat(chains: readonly WalkChain[], start: Flow, hook: Hook, context: WalkContext): readonly Left[] {
  const { connection, packet } = start;
  const half = hook === 'prerouting' || hook === 'output' ? 'destination' : 'source';
  if (connection.state === 'invalid' || connection.state === 'untracked') return [{ flow: start, verdict: 'accept' }];
  const isError = connection.state === 'related' && packet.icmp !== undefined;
  if (isBound(start, half) || connection.state === 'established' || isError) {
    return [{ flow: translated(start, half), verdict: 'accept' }];
  }
  const left: Left[] = [];
  let asked: readonly Flow[] = [start];
  for (const chain of chains) {
    const next: Flow[] = [];
    for (const flow of asked) {
      for (const result of walkBaseChain(chain, flow, context)) {
        if (result.verdict !== 'accept') left.push(result);
        else if (isBound(result.flow, half)) left.push(settled(result.flow, half));
        else next.push(result.flow);
      }
    }
    asked = next;
  }
  // No translation is a decision too.
  for (const flow of asked) left.push(settled(bound(flow, half, {}), half));
  return left;
}

function settled(flow: Flow, half: 'source' | 'destination'): Left {
  return { flow: flow.connection.direction === 'reply' ? translated(flow, half) : flow, verdict: 'accept' };
}

function isBound({ connection }: Flow, half: 'source' | 'destination'): boolean {
  return (half === 'source' ? connection.sourceBinding : connection.destinationBinding) !== undefined;
}

function stationsOf(hook: Hook, context: WalkContext): readonly Station[] {
  const all = cached(context, context.input.tables, () => new Map<Hook, readonly Station[]>());
  let stations = all.get(hook);
  if (stations === undefined) {
    stations = orderedStations(hook, context.input);
    all.set(hook, stations);
  }
  return stations;
}

/** By priority; among equal ones the last registered goes first. */
function orderedStations(hook: Hook, input: WalkInput): readonly Station[] {
  const all = input.tables.flatMap((table) =>
    [...sharedWalkChains(table.chains)].filter(({ base }) => base !== undefined),
  );
  // The first nat chain brings NAT to all hooks; without any chain, its position relative to others is unknown.
  const natSince = all.findIndex(({ base }) => base?.kind === 'nat');
  const placed: { readonly station: Station; readonly since: number }[] = [];
  const nat: WalkChain[] = [];
  for (const [since, chain] of all.entries()) {
    const { base } = chain;
    if (base?.hook !== hook) continue;
    if (base.kind === 'nat') nat.unshift(chain);
    else placed.push({ station: { kind: 'chain', priority: base.priority, chain }, since });
  }
  nat.sort((a, b) => (a.base?.priority ?? 0) - (b.base?.priority ?? 0));
  const isEarly = hook === 'prerouting' || hook === 'output';
  const isOfDevice = hook === 'ingress' || hook === 'egress';
  if (isEarly) placed.push({ station: { kind: 'conntrack', priority: -200 }, since: -1 });
  // Also without chains: decided connections are translated here.
  if (hook !== 'forward' && !isOfDevice) {
    placed.push({ station: { kind: 'nat', priority: isEarly ? -100 : 100, chains: nat }, since: natSince });
  }
  for (const { priority, stage } of input.ipvs.length > 0 || input.hidesServers ? ipvsStages(hook) : []) {
    placed.push({ station: { kind: 'ipvs', priority, stage }, since: -1 });
  }
  return placed
    .sort((a, b) => a.station.priority - b.station.priority || b.since - a.since)
    .map(({ station }) => station);
}
