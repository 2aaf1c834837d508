import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { pushAll } from '../../common/pushAll.ts';
import { count } from '../../common/text/count.ts';
import { hasWholeTable } from '../../node/hasWholeTable.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { policiesWithoutEffect } from '../../objects/policies/policiesWithoutEffect.ts';
import { externalAddresses } from '../../objects/services/externalAddresses.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Finding } from '../finding.ts';
import { findingOfObjects, makeFinding } from '../makeFinding.ts';
import { modeChecks } from './chains/modeChecks.ts';
import { nftTableGone } from './chains/nftTableGone.ts';
import { dnsCacheChecks } from './node/dnsCacheChecks.ts';
import { factChecks } from './node/factChecks.ts';
import { podRouteChecks } from './node/podRouteChecks.ts';
import type { ObjectFacts } from './objectFacts.ts';
import { serviceChecks } from './services/serviceChecks.ts';

/** Problems of manifests and settings, families that were not dumped, and facts given with the rules. */
export function manifestChecks(
  compiled: Compiled,
  dump: NodeRules,
  options: { readonly family: 'ipv4' | 'ipv6' | 'both' } & ObjectFacts,
): readonly Finding[] {
  const findings: Finding[] = [...options.objectFindings];
  for (const plan of compiled.plans) {
    const isDumped = showsRules(dump, plan.family);
    if (!isDumped) continue;
    // These findings are about endpoints and masquerading, which kube-proxy handles itself if it accepts connections.
    if (modeFacts[compiled.model.config.mode].passesThroughProxy) continue;
    const own = [
      ...serviceChecks(plan, compiled.model.node, options.emptyPorts),
      ...planChecks(plan),
      ...modeChecks(compiled, plan),
    ];
    pushAll(findings, own.filter(isNews(findings)));
  }
  pushAll(findings, externalAddresses(compiled.model, compiled.policyManifests).map(findingOfObjects));
  pushAll(findings, policiesWithoutEffect(compiled.policyManifests).map(findingOfObjects));
  pushAll(findings, nftTableGone(compiled, dump));
  pushAll(findings, missingFamily(compiled, dump, options.family));
  pushAll(findings, dnsCacheChecks(dump, compiled.policyManifests, compiled.model.node));
  pushAll(findings, podRouteChecks(compiled, dump));
  pushAll(findings, factChecks(compiled, dump));
  return findings;
}

/** What a Service with addresses of both families has in both is said once. */
function isNews(told: readonly Finding[]): (finding: Finding) => boolean {
  const known = new Set(told.map(wordsOf));
  return (finding) => finding.family !== undefined || !known.has(wordsOf(finding));
}

function wordsOf({ code, service, what }: Finding): string {
  return `${code} ${service ?? ''} ${what}`;
}

/** The dump shows addresses of both families, whichever rules it has. */
function showsRules(dump: NodeRules, of: Family): boolean {
  return everyTool(dump).some(({ kind, family }) => family === of && kind !== 'addresses');
}

/** Most people dump only one family: this is no more than a remark. */
function missingFamily(compiled: Compiled, dump: NodeRules, asked: 'ipv4' | 'ipv6' | 'both'): readonly Finding[] {
  const isWhole = hasWholeTable(everyTool(dump));
  if (asked !== 'both' || !isWhole) return [];
  return compiled.plans
    .filter((plan) => plan.services.length > 0 && !showsRules(dump, plan.family))
    .map((plan) =>
      makeFinding('K8N107', {
        what: `${count(plan.services.length, 'Service port')} ${plan.services.length === 1 ? 'uses' : 'use'} ${plan.family}, and no dump of that family was given`,
        isAdvice: true,
        ...(modeFacts[compiled.model.config.mode].rulesIn === 'nftables' && wholeRuleset),
      }),
    );
}

const wholeRuleset = {
  why: '`nft list table ip kube-proxy` prints one family only, or kube-proxy has not written the table of the other. What depends on the missing part is not checked.',
  fix: 'To check the rest too, save all tables: `nft list ruleset > node1.nft`. If it lacks the family, see which IP families kube-proxy found: `kubectl -n kube-system logs POD`.',
};

function planChecks(plan: Plan): readonly Finding[] {
  if (plan.node.clusterMasquerade.why !== 'masqueradeAll') return [];
  return [
    makeFinding('K8N408', { what: 'masqueradeAll is set: Pods see the node’s address instead of their clients’' }),
  ];
}
