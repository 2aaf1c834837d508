import type { Command } from 'commander';
import { parseTime } from '../../common/text/parseTime.ts';
import type { TraceConditions } from '../../trace/tracer.ts';
import { collect } from './commonOptions.ts';
import { addPortOptions } from './portOption.ts';

/** Options that describe the packet in question, and what happened before it. */
export interface PacketFlags {
  readonly from?: string;
  readonly to?: string;
  readonly proto?: string;
  readonly in?: string;
  readonly physin?: string;
  readonly flags?: string;
  readonly state?: string;
  readonly mark?: string;
  readonly uid?: string;
  readonly seen?: readonly string[];
  readonly at?: string;
}

export function addPacketOptions(command: Command): Command {
  command
    .option('--from <who>', 'ADDR[:PORT], a Pod (namespace/name[:PORT]), node[:PORT], node/NAME or outside')
    .option(
      '--to <where>',
      'ADDR:PORT, a Service ([svc/]namespace/name[:PORT]), a Pod ([pod/]namespace/name:PORT) or node:PORT; a protocol may follow: 10.96.0.10:53/udp; or a URL, by the Ingresses and Services of -f',
    );
  addPortOptions(
    command,
    'port of the receiver, where --to has none: 80, http, 53/udp',
    'tcp, udp, sctp, icmp or icmpv6 (default: what the Service port or node port of --to has, else tcp)',
  );
  return command
    .option('--in <interface>', 'interface the packet arrives on (default: the one the route back uses)')
    .option('--physin <port>', 'bridge port it arrives on')
    .option('--flags <letters>', 'flags of a TCP packet: letters of S A F R P U (default: S)')
    .option('--state <state>', 'state of its connection: new, established, related, invalid or untracked')
    .option('--mark <mark>', 'mark of the packet when it arrives')
    .option('--uid <number>', 'user of a process of the node')
    .option(
      '--seen <addr=list@age>',
      'ADDR is in the recent list or dynamic set LIST since AGE; can be repeated',
      collect,
    )
    .option('--at <time>', 'how long after the dump (+3h), or when (2026-11-22T08:00:00Z, for -m time)');
}

/** The values of `--seen`, `--at` and `--uid`; a text: what is wrong with one of them. */
export async function readConditions(options: PacketFlags): Promise<TraceConditions | string> {
  const [{ readAge }, { readAllSeen }] = await Promise.all([
    import('../../trace/question/readSeen.ts'),
    import('../../trace/question/readAllSeen.ts'),
  ]);
  const seen = readAllSeen(options.seen ?? []);
  if ('kind' in seen) return seen.message;
  const time = options.at === undefined ? undefined : parseTime(options.at);
  const isAge = options.at?.startsWith('+') === true;
  const elapsed = isAge
    ? readAge(options.at?.slice(1) ?? '')
    : options.at === undefined || time !== undefined
      ? 0
      : undefined;
  if (elapsed === undefined) {
    return `--at ${options.at}: write how long after the dump (+3h), or a time with its zone (2026-11-22T08:00:00Z)`;
  }
  const user = options.uid === undefined ? undefined : Number(options.uid);
  if (user !== undefined && !Number.isInteger(user)) return `--uid ${options.uid}: not a number`;
  const at = time === undefined ? {} : { at: new Date(Number(time / 1_000_000n)) };
  return { seen, elapsed, ...at, ...(user !== undefined && { user }) };
}
