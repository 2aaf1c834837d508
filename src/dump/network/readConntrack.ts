import type { ConntrackFlow } from '../../netfilter/conntrack/flow.ts';
import { parseConntrack } from '../../netfilter/conntrack/parseConntrack.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import type { Connection } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';

/**
 * Reads `conntrack -L`. It keeps UDP connections, which outlive their endpoint, and TCP connections that nobody
 * answers. A connection that two files show counts once.
 */
export function readConntrack(file: DumpFile, known: readonly Connection[], report: ReportLine): readonly Connection[] {
  const shown = new Set(known.map(({ flow }) => keyOf(flow)));
  return parseConntrack(file.text, report)
    .filter((flow) => flow.protocol === udp || isUnanswered(flow))
    .filter((flow) => !shown.has(keyOf(flow)))
    .map((flow) => ({ flow, file: file.name }));
}

function isUnanswered({ protocol, isUnreplied, state }: ConntrackFlow): boolean {
  return protocol === tcp && isUnreplied && state === 'SYN_SENT';
}

function keyOf({ protocol, original: { source, sourcePort, destination, destinationPort } }: ConntrackFlow): string {
  return `${protocol} ${source} ${sourcePort} ${destination} ${destinationPort}`;
}

const tcp = 6;
const udp = 17;
