import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import { count } from '../../common/text/count.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import type { Direction } from '../../model/netPolicy.ts';
import type { PolicyPod } from '../../model/policyModel.ts';
import { isPolicyChain, isPolicySet, policyHooks, policyTable } from '../../netfilter/policyParts.ts';
import { chainPlace, type DumpPlace } from '../../node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { policyPrograms } from '../../node/programs/policyPrograms.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import type { NodePolicies } from '../../policy/nodePolicies.ts';

export interface LostPolicies {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * Policy rules that a dump lacks completely, one finding a family. This is a difference only if the dump shows that they
 * were there: their sets, or their rules in the other family. Otherwise another program may enforce policies, and a
 * note says that nothing was compared.
 */
export function lostPolicies(node: NodePolicies, dump: NodeRules): LostPolicies {
  const findings: Finding[] = [];
  const notes: string[] = [];
  const kinds = [iptablesKind(dump), nftablesKind(dump)];
  for (const { evidence, lacking, table, chain } of kinds) {
    if (evidence === undefined) continue;
    for (const family of lacking) {
      const isolated = isolatedPods(node, family);
      if (isolated === 0) continue;
      const place = evidence.line === 0 ? {} : { place: evidence };
      findings.push(
        makeFinding('K8N218', {
          what: `nothing enforces the policies of ${count(isolated, 'Pod')} of this node in ${family}, as other parts of the dump would`,
          found: evidence.line === 0 ? [] : [evidence],
          rules: [{ table: table(family), chain, expected: `:${chain} -`, ...place }],
        }),
      );
    }
  }
  if (kinds.every(({ evidence }) => evidence === undefined)) notes.push(notCompared(dump));
  return { findings, notes };
}

/** One way to enforce policies: its traces in the dump, and the families that were dumped without its rules. */
interface Kind {
  readonly evidence: DumpPlace | undefined;
  readonly lacking: readonly Family[];
  readonly table: (family: Family) => string;
  readonly chain: string;
}

function iptablesKind({ iptables, ipsets }: NodeRules): Kind {
  const filters = iptables.flatMap(({ family, tables }) => {
    const filter = tables.get('filter');
    return filter === undefined ? [] : [{ family, filter, chain: findChain(filter.chains, isPolicyChain) }];
  });
  const ipset = ipsets.flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ chains }) => findChain(chains, isPolicySet) ?? []),
  )[0];
  const evidence = filters.find(({ chain }) => chain !== undefined)?.chain ?? ipset;
  return {
    evidence: evidence && chainPlace(evidence)[0],
    lacking: lackingOf(
      filters.filter(({ filter, chain }) => filter.isWhole || chain !== undefined),
      ({ chain }) => chain !== undefined,
    ),
    table: () => 'filter',
    chain: policyHooks.FORWARD,
  };
}

function nftablesKind({ nft: listed }: NodeRules): Kind {
  const own = ({ family, tables }: ToolRules) => tables.get(policyTable(family));
  const [chain] = listed.flatMap((set) => [...(own(set)?.chains.values() ?? [])]);
  return {
    evidence: chain && chainPlace(chain)[0],
    lacking: lackingOf(listed, (set) => own(set) !== undefined),
    table: policyTable,
    chain: 'forward',
  };
}

/** Families that were dumped at least in part and have none of what is asked for: a node may have two back ends. */
function lackingOf<T extends { readonly family: Family }>(all: readonly T[], has: (one: T) => boolean): Family[] {
  const holding = new Set(all.filter(has).map(({ family }) => family));
  return [...new Set(all.map(({ family }) => family))].filter((family) => !holding.has(family));
}

function findChain(chains: ReadonlyMap<string, RuleChain>, isWanted: (name: string) => boolean): RuleChain | undefined {
  for (const chain of chains.values()) if (isWanted(chain.name)) return chain;
  return undefined;
}

/** Pods on the node that a policy isolates, in one direction or both. */
function isolatedPods({ localPods, policiesOf, clusterPoliciesOf }: NodePolicies, family: Family): number {
  const isJudged = (pod: PolicyPod, direction: Direction) =>
    policiesOf(pod, direction).length + clusterPoliciesOf(pod, direction).length > 0;
  return localPods.filter(
    (pod) => pod.ips.some((ip) => familyOf(ip) === family) && (isJudged(pod, 'ingress') || isJudged(pod, 'egress')),
  ).length;
}

function notCompared(dump: NodeRules): string {
  const others = policyPrograms(dump);
  const seen =
    others.length === 0 ? 'no chains of kube-router' : `chains of ${others.join(' and ')}, none of kube-router`;
  return `policies are not compared: the dump holds ${seen} and no table k8snet-netpol`;
}
