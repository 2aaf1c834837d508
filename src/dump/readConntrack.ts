import { parseConntrack } from '../netfilter/conntrack/parseConntrack.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import type { Connection } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

/** Reads `conntrack -L`. Of the connections only those over UDP are kept: no others outlive their endpoint. */
export function readConntrack(file: DumpFile, report: ReportLine): readonly Connection[] {
  return parseConntrack(file.text, report)
    .filter(({ protocol }) => protocol === udp)
    .map((flow) => ({ flow, file: file.name }));
}

const udp = 17;
