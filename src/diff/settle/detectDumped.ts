import { defaultMode, type ProxyMode } from '../../common/proxy/proxyMode.ts';
import { type Detection, detectVersions } from '../../dialect/detectVersions.ts';
import type { DumpedRules } from '../../dialect/dumpedRules.ts';
import type { DumpFile } from '../../dump/dumpFile.ts';
import { flushedSets } from '../../dump/flushedSets.ts';
import { type ReadOptions, readDumps } from '../../dump/readDumps.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { dumpedRules } from '../../seen/versions/dumpedRules.ts';

/** The versions of kube-proxy that could have written what a dump shows of one mode. */
export interface ModeDetection extends Detection {
  readonly mode: ProxyMode;
}

/** For dumps of one node, by the modes that they show, or for the requested one. Undefined: no rules of kube-proxy. */
export function detectDumped(
  files: readonly DumpFile[],
  options: ReadOptions,
  asked: ProxyMode | undefined,
): readonly ModeDetection[] | undefined {
  const flushed = files.map(({ text }) => flushedSets(text)).find((sets) => sets !== undefined);
  const node = readDumps(files, options);
  const dumped = { ...dumpedRules(everyTool(node)), ...(flushed && { flushed }) };
  if (!holdsRules(dumped)) return undefined;
  const { modes: shown } = proxySeen(node);
  const modes = asked !== undefined ? [asked] : shown.length > 0 ? shown : [defaultMode];
  return modes.map((mode) => ({ mode, ...detectVersions(mode, dumped) }));
}

function holdsRules({ iptables, nft, ipsets }: DumpedRules): boolean {
  const hasRules = iptables.some(({ tables }) => tables.some((table) => table.rules.length + table.chains.length > 0));
  return hasRules || nft.length > 0 || ipsets.length > 0;
}
