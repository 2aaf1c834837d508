import { addTo } from '../../common/addTo.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import type { ChainKey } from '../../node/chains/chainKey.ts';
import type { Finding } from '../finding.ts';

/**
 * Several built-in chains without a jump to kube-proxy's (K8N207) were flushed together: one finding, in the place of
 * the first, names the jump for most traffic, the chains of the others and all their rules. `aboutOf` gives the chain
 * of a finding without rules.
 */
export function foldJumps(
  findings: readonly Finding[],
  aboutOf: (finding: Finding) => ChainKey | undefined = () => undefined,
): readonly Finding[] {
  const from = new Map<Finding, ChainKey>();
  for (const finding of findings) {
    const [rule] = finding.rules ?? [];
    const about = rule ?? aboutOf(finding);
    if (about !== undefined && isLostJump(finding, about)) from.set(finding, about);
  }
  if (from.size < fewest) return findings;
  const lost = [...from.keys()];
  const head = lost.find((finding) => isOfMostTraffic(from.get(finding))) ?? (lost[0] as Finding);
  const others = lost.flatMap((finding) => (finding === head ? [] : (from.get(finding) ?? [])));
  const rules = lost.flatMap((finding) => finding.rules ?? []);
  const folded: Finding = {
    ...head,
    what: `${head.what}, and ${others.length} other jumps to kube-proxy’s chains are missing: ${chainsText(others)}`,
    found: lost.flatMap(({ found }) => found).filter(isFirst),
    ...(rules.length > 0 && { rules }),
  };
  return findings.flatMap((finding) => (finding === lost[0] ? folded : from.has(finding) ? [] : finding));
}

/** Two may have been deleted one by one, and their findings are as short. */
const fewest = 3;

/** All packets to the node pass here first. */
function isOfMostTraffic(about: ChainKey | undefined): boolean {
  return about?.table === 'nat' && about.chain === 'PREROUTING';
}

function isLostJump({ code, severity, service }: Finding, { table, chain }: ChainKey): boolean {
  return code === 'K8N207' && severity === 'error' && service === undefined && builtinChains(table).includes(chain);
}

/** `from INPUT, FORWARD of the table filter, from OUTPUT of the table nat`. */
function chainsText(chains: readonly ChainKey[]): string {
  const byTable = new Map<string, string[]>();
  for (const { table, chain } of chains) addTo(byTable, table, chain);
  return [...byTable].map(([table, own]) => `from ${[...new Set(own)].join(', ')} of the table ${table}`).join(', ');
}

function isFirst({ file, line }: Finding['found'][number], at: number, all: Finding['found']): boolean {
  return all.findIndex((other) => other.file === file && other.line === line) === at;
}
