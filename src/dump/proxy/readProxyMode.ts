import { type ProxyMode, proxyModes } from '../../common/proxy/proxyMode.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import type { DumpFile } from '../dumpFile.ts';

/** The answer of kube-proxy's `/proxyMode`: one word. */
export function readProxyMode({ text }: DumpFile, report: ReportLine): ProxyMode | undefined {
  const word = text.trim();
  const mode = proxyModes.find((known) => known === word);
  if (mode === undefined) report({ line: 1, word, message: 'is not a mode of kube-proxy' });
  return mode;
}
