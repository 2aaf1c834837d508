import type { DiffReport } from './diffReport.ts';

/** For commands in fixes: the node's name, as somebody gave it. */
export function withNodeName(report: DiffReport, node: string | undefined): DiffReport {
  return node === undefined ? report : { ...report, names: { ...report.names, node } };
}
