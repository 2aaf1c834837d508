import { parseIpset } from '../netfilter/ipset/parseIpset.ts';
import { parseIpvs } from '../netfilter/ipvs/parseIpvs.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import { ipsetRules, ipvsRules } from '../node/ipvsRules.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

export function readIpset(file: DumpFile, report: ReportLine): readonly ToolRules[] {
  return ipsetRules(parseIpset(file.text, report), file.name);
}

export function readIpvs(file: DumpFile, report: ReportLine): readonly ToolRules[] {
  return ipvsRules(parseIpvs(file.text, report), file.name);
}
