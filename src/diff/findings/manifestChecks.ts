import type { Compiled } from '../../pipeline/compile.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { serviceName } from '../explain/serviceIndex.ts';
import { factChecks } from '../facts/factChecks.ts';
import type { Finding } from '../finding.ts';
import type { NodeDump } from '../nodeRules.ts';
import { externalAddressChecks } from './externalAddressChecks.ts';
import { type FindingParts, makeFinding } from './makeFinding.ts';
import { modeChecks } from './modeChecks.ts';
import { policyObjectChecks } from './policyObjectChecks.ts';

/** What manifests and settings say by themselves, families that were not dumped, and facts given beside the rules. */
export function manifestChecks(
  compiled: Compiled,
  dump: NodeDump,
  options: { readonly family: 'ipv4' | 'ipv6' | 'both'; readonly objectFindings: readonly Finding[] },
): readonly Finding[] {
  const findings: Finding[] = [...options.objectFindings];
  for (const plan of compiled.plans) {
    const isDumped = dump.sets.some(({ family }) => family === plan.family);
    if (!isDumped) continue;
    findings.push(...plan.services.flatMap((service) => serviceChecks(service)), ...planChecks(plan));
    findings.push(...modeChecks(compiled, plan));
  }
  findings.push(...externalAddressChecks(compiled.model, compiled.policyManifests));
  findings.push(...policyObjectChecks(compiled.policyManifests), ...missingFamily(compiled, dump, options.family));
  findings.push(...factChecks(compiled, dump));
  return findings;
}

/** One family's dump alone is what most people take: no more than a remark. */
function missingFamily(compiled: Compiled, dump: NodeDump, asked: 'ipv4' | 'ipv6' | 'both'): readonly Finding[] {
  const isWhole = dump.sets.some(({ tables }) => [...tables.values()].some((table) => table.isWhole));
  if (asked !== 'both' || !isWhole) return [];
  return compiled.plans
    .filter((plan) => plan.services.length > 0 && !dump.sets.some(({ family }) => family === plan.family))
    .map((plan) =>
      makeFinding('K8N107', {
        seen: `${plan.services.length} Service ports use ${plan.family}, and no dump of that family was given`,
        severity: 'info',
        isAdvice: true,
      }),
    );
}

function serviceChecks(service: ServicePlan): readonly Finding[] {
  const { port } = service;
  const findings: Finding[] = [];
  const add = (id: `K8N${number}`, parts: FindingParts) => {
    findings.push(makeFinding(id, { service: serviceName(service), expected: [port.origin], ...parts }));
  };
  if (!service.hasEndpoints) add('K8N501', { seen: noEndpoints(service) });
  else if (service.internal.kind === 'drop' || (service.isExternallyAccessible && service.external.kind === 'drop')) {
    add('K8N502', { seen: 'policy Local, and no endpoint on this node: traffic is dropped' });
  }
  const used = service.reachable;
  if (used.length > 0 && used.every(({ isTerminating }) => isTerminating)) {
    add('K8N306', { seen: `all ${used.length} endpoints in use are terminating` });
  }
  const hinted = port.endpoints.filter(({ zoneHints }) => zoneHints.length > 0);
  const ready = port.endpoints.filter(({ isReady }) => isReady);
  if (
    hinted.length > 0 &&
    service.usesClusterEndpoints &&
    service.cluster.length === ready.length &&
    ready.length > 1
  ) {
    const bare = ready.length - ready.filter(({ zoneHints }) => zoneHints.length > 0).length;
    const reason =
      bare > 0
        ? `${bare} of ${ready.length} endpoints have no hint`
        : 'the node has no zone, or no hint leaves one out';
    if (new Set(ready.flatMap(({ zoneHints }) => zoneHints)).size > 1)
      add('K8N307', { seen: `hints are not used: ${reason}` });
  }
  if (port.affinitySeconds !== undefined && service.isExternallyAccessible && !service.isExternalPolicyLocal) {
    add('K8N305', {
      seen: 'clients from outside may reach this Service masqueraded: affinity then sees nodes, not clients',
    });
  }
  if (port.sourceRanges.length > 0 && port.nodePort > 0) {
    add('K8N506', { seen: `source ranges guard the load balancer’s addresses; node port ${port.nodePort} stays open` });
  }
  return findings;
}

function noEndpoints({ port }: ServicePlan): string {
  if (port.endpoints.length === 0) return 'no endpoints at all: traffic is refused';
  return `none of ${port.endpoints.length} endpoints is ready: traffic is refused`;
}

function planChecks(plan: Plan): readonly Finding[] {
  if (!plan.node.masqueradeAll) return [];
  return [
    makeFinding('K8N408', { seen: 'masqueradeAll is set: Pods see the node’s address instead of their clients’' }),
  ];
}
