import type { TraceHeader, TraceStep } from './openTraceReader.ts';

/** What the kernel did with the packets of one connection, event by event in the words of a trace. */
export interface KernelWays {
  readonly first: readonly string[];
  /** The next packet the same way. */
  readonly later: readonly string[] | undefined;
  /** The first packet back, or the ICMP error or reset that the node itself sends. */
  readonly reply: readonly string[] | undefined;
  /** As the packet reached whoever answered it: `SOURCE > DESTINATION`, a destination that is not known as `*`. */
  readonly answer?: string;
}

/** How rules are found: by nft's handles, by number in iptables-legacy. */
export interface Rulebook {
  /** Number of the rule with a handle: keys are `FAMILY TABLE CHAIN HANDLE`. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly baseChains: ReadonlySet<string>;
  /** Rules of each chain of iptables-legacy, by `FAMILY TABLE CHAIN`. */
  readonly legacyRules: ReadonlyMap<string, readonly string[]>;
}

/** The table that turns the trace on: none of its steps counts. */
export const tracingTable = 'tracing';

/** Sorts the steps of a trace by packet, and those packets by what they are to the connection that began it. */
export function kernelWays(steps: readonly TraceStep[], book: Rulebook, sourcePort: number): KernelWays | undefined {
  const packets = new Map<string, { readonly header: TraceHeader; readonly events: string[] }>();
  const byId = new Map<string, string>();
  for (const step of steps) {
    const { header } = step;
    const id = `${step.id} ${step.family} ${step.table}`;
    const key = header === undefined ? byId.get(id) : packetKey(header);
    if (key === undefined) throw new Error(`a step of no packet: ${JSON.stringify(step)}`);
    byId.set(id, key);
    const known = packets.get(key);
    const packet = known ?? { header: header as TraceHeader, events: [] };
    if (known === undefined) packets.set(key, packet);
    const event = step.table === tracingTable ? undefined : eventOf(step, book);
    if (event !== undefined) packet.events.push(event);
  }
  const all = [...packets.values()];
  const first = all.find(({ header }) => isFirst(header, sourcePort));
  if (first === undefined) return undefined;
  const others = all.filter((packet) => packet !== first);
  return {
    first: first.events,
    later: others.find(({ header }) => isLater(header, first.header))?.events,
    reply: others.find(({ header }) => isReply(header, first.header))?.events,
  };
}

const [syn, reset, ack] = [2, 4, 16];

/** What NAT leaves alone. */
function packetKey({ protocol, flags, sequence, acknowledged, length }: TraceHeader): string {
  return `${protocol} ${flags} ${sequence} ${acknowledged} ${length}`;
}

function isFirst({ protocol, sourcePort, flags }: TraceHeader, port: number): boolean {
  if (protocol === 1 || protocol === 58) return flags === '8' || flags === '128';
  return sourcePort === String(port) && (protocol !== 6 || Number(flags) === syn);
}

function isLater({ protocol, flags, sequence }: TraceHeader, first: TraceHeader): boolean {
  return protocol === 6 && first.protocol === 6 && Number(flags) === ack && sequence === (first.sequence + 1) % 2 ** 32;
}

function isReply({ protocol, flags, acknowledged }: TraceHeader, first: TraceHeader): boolean {
  if (protocol === 1) return true;
  // Others ask for neighbours and routers.
  if (protocol === 58) return Number(flags) <= 4 || flags === '129';
  if (protocol !== first.protocol) return false;
  return protocol !== 6 || ((Number(flags) & (syn | reset)) !== 0 && acknowledged === (first.sequence + 1) % 2 ** 32);
}

function eventOf(step: TraceStep, book: Rulebook): string | undefined {
  const { family, table, type, verdict } = step;
  const chain = readName(step, step.chain, book);
  const target = readName(step, step.target, book);
  const place = `${family} ${table} ${chain}`;
  if (step.backend === 'legacy') return legacyEvent(step, place, book);
  if (type === 'policy') return `${place} policy ${verdict}`;
  // Newer kernels tell the end of every chain, also before a policy.
  if (type === 'return' || step.rule === '-') return book.baseChains.has(place) ? undefined : `${place} end`;
  const number = book.numbers.get(`${place} ${step.rule}`);
  if (number === undefined) throw new Error(`no rule has handle ${step.rule} in ${place}`);
  return `${place} #${number} ${verdict}${target === '-' ? '' : ` ${target}`}`;
}

/** The kernel counts chains inside rules of all tables, and a listing has no names for them: handles tell which is which. */
function readName({ family, table, rule }: TraceStep, name: string, { numbers }: Rulebook): string {
  if (!name.startsWith('__chain')) return name;
  const bound = [...numbers.keys()].find(
    (key) => key.startsWith(`${family} ${table} __chain`) && key.endsWith(` ${rule}`),
  );
  return bound?.split(' ')[2] ?? '__chain1';
}

/** Of verdicts it says nothing; a last rule that returns from everywhere is told as an end. */
function legacyEvent({ rule, type }: TraceStep, place: string, { legacyRules }: Rulebook): string {
  const rules = legacyRules.get(place) ?? [];
  const number = Number(rule);
  if (number <= rules.length) return `legacy ${place} #${number}`;
  return `legacy ${place} ${type === 'policy' ? 'policy' : 'end'}`;
}
