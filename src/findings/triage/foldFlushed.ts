import type { RuleChange } from '../../compare/ruleChange.ts';
import { nftChainKind } from '../../netfilter/proxyChains.ts';
import { chainPlace } from '../../node/lines/chainLines.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import type { Plan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { nftFlushed } from '../checks/chains/nftFlushed.ts';
import type { Finding } from '../finding.ts';
import type { Triaged } from './triage.ts';

/**
 * If a table of nftables mode (K8N212) or the chains of all Services (K8N205) were flushed, one finding says what
 * happened: it replaces those for all lost rules, and for the Services behind them.
 */
export function foldFlushed(all: Triaged, table: RuleTable, plan: Plan): Triaged {
  const flushed = nftFlushed(table);
  const isHead = ({ code, services }: Finding) => services !== undefined && code === (flushed && headIds[flushed]);
  if (flushed === undefined || !all.findings.some(isHead)) return all;
  const isGone = ({ table: name, chain, found }: RuleChange) =>
    name === table.name && found === undefined && (flushed === 'table' || nftChainKind(chain) !== undefined);
  const services = new Set<string>();
  if (flushed === 'table') for (const { port } of plan.services) services.add(servicePortName(port));
  const kept: Finding[] = [];
  for (const finding of all.findings) {
    const isFolded = finding.rules !== undefined && finding.rules.length > 0 && finding.rules.every(isGone);
    if (flushed === 'table' && finding.code === 'K8N505' && isOf(table, finding)) continue;
    if (!isFolded) kept.push(finding);
    else if (finding.service !== undefined) services.add(finding.service);
  }
  const findings = kept.map((finding) => (isHead(finding) ? { ...finding, services: [...services] } : finding));
  return { ...all, findings, changes: all.changes.filter((change) => !isGone(change)) };
}

/** The remark has no rules. */
function isOf({ chains }: RuleTable, { found }: Finding): boolean {
  const [own] = chainPlaces(chains.get('forward'));
  return found.some(({ file, line }) => file === own?.file && line === own?.line);
}

function chainPlaces(chain: RuleChain | undefined): Finding['found'] {
  return chain === undefined ? [] : chainPlace(chain);
}

const headIds = { table: 'K8N212', services: 'K8N205' } as const;
