import { single, type ValueSet } from '../common/ranges/valueSet.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { newNotes } from '../walk/context.ts';
import type { Flow, WalkEvent } from '../walk/flow.ts';
import { beginFlow, unseenConnection } from '../walk/flowShape.ts';
import type { Ended } from '../walk/hooks/walkHook.ts';
import type { Hook, WalkChain, WalkInput } from '../walk/input/walkInput.ts';
import { one } from '../walk/values/fraction.ts';
import { appended, type Trail } from '../walk/values/trail.ts';
import type { KernelHeader } from './readKernelTrace.ts';

/** A packet of a trace, as far as it was read. */
export interface KernelPacket {
  readonly input: WalkInput;
  readonly first: KernelHeader;
  last: KernelHeader;
  readonly steps: { readonly event: WalkEvent; readonly isMissing: boolean }[];
  hook: Hook;
  base: WalkChain;
  leg: 1 | 2;
  mark: number;
  /** Base chains that it came through. */
  readonly done: Set<WalkChain>;
}

/** The same as a result of the walk. */
export function kernelPacketResult(packet: KernelPacket): TraceResult {
  const { first, steps } = packet;
  const missing = steps.filter(({ isMissing }) => isMissing).length;
  const lost = missing === 0 ? [] : [`${missing} of ${steps.length} lines are of rules that the dump does not have`];
  const end = endOf(steps.at(-1)?.event);
  return {
    packet: {
      family: typeof first.source === 'bigint' ? 'ipv6' : 'ipv4',
      protocol: first.protocol,
      source: first.source,
      sourcePort: first.sourcePort,
      destination: first.destination,
      destinationPort: first.destinationPort,
      origin: originOf(first),
      inInterface: first.inInterface,
      inPort: first.inPort,
      flags: first.flags,
      state: undefined,
      mark: first.mark,
    },
    outcomes: [{ first: { flow: flowOf(packet), end }, later: undefined, reply: undefined, share: one }],
    notes: { ...newNotes(), notes: new Set(lost) },
  };
}

/** The packet as it was last seen: of its connection the trace says nothing. */
function flowOf({ first, last, steps, hook, leg, mark }: KernelPacket): Flow {
  let path: Trail<WalkEvent> | undefined;
  for (const { event } of steps) path = appended(path, event);
  const hasSourceNat = steps.some(
    ({ event }) => event.rule?.steps.some((step) => step.kind === 'nat' && step.half === 'source') === true,
  );
  const [packet, origin] = [packetOf(last, hasSourceNat), originOf(first)];
  const { inInterface, outInterface } = last;
  const own = { inInterface, inPort: undefined, mark, connection: unseenConnection, share: one };
  return { ...beginFlow({ packet, origin, ...own }), entry: packetOf(first, false), hook, leg, outInterface, path };
}

function originOf({ inInterface }: KernelHeader): 'local' | 'forwarded' {
  return inInterface === undefined ? 'local' : 'forwarded';
}

/** The kernel translates the source behind its last line: what to is not in the trace. */
function packetOf(header: KernelHeader, isTranslated: boolean): Flow['packet'] {
  const isV6 = typeof header.source === 'bigint';
  const anyAddress: ValueSet = isV6 ? [{ first: 0n, last: (1n << 128n) - 1n }] : [{ first: 0, last: 0xffffffff }];
  const anyPort: ValueSet = [{ first: 0, last: 65535 }];
  const port = (value: number | undefined) => (value === undefined ? undefined : single(value));
  return {
    source: isTranslated ? anyAddress : single(header.source),
    destination: single(header.destination),
    protocol: single(header.protocol),
    sourcePort: isTranslated && header.sourcePort !== undefined ? anyPort : port(header.sourcePort),
    destinationPort: port(header.destinationPort),
    tcpFlags: undefined,
    icmp: undefined,
  };
}

function endOf(last: WalkEvent | undefined): Ended['end'] {
  if (last === undefined) return { kind: 'unknown', why: 'the trace is empty' };
  if (last.verdict === 'drop' || last.policy === 'drop') {
    for (const step of last.rule?.steps ?? [])
      if (step.kind === 'reject') return { kind: 'rejected', rejection: step.rejection };
    return { kind: 'dropped' };
  }
  const isThrough = last.verdict === 'accept' || last.verdict === 'policy';
  if (isThrough && last.hook === 'postrouting') return { kind: 'leaves' };
  if (isThrough && last.hook === 'input') return { kind: 'delivered' };
  return { kind: 'unknown', why: `the trace ends in ${last.hook.toUpperCase()}` };
}
