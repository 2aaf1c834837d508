import { modeFacts } from '../../../common/proxy/modeFacts.ts';
import { isIptablesModeChain, isIpvsChain } from '../../../netfilter/proxyChains.ts';
import { chainPlace } from '../../../node/lines/chainLines.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/** What kube-proxy requires from the kernel for IPVS mode, apart from its scheduler. */
const required: readonly string[] = ['ip_vs', 'ip_vs_rr', 'ip_vs_wrr', 'ip_vs_sh', 'nf_conntrack'];

/**
 * K8N707: IPVS mode was asked for, but the node has the rules of iptables mode: kube-proxy fell back. A list of modules
 * shows why. Only whole dumps without sets and virtual servers of kube-proxy are checked.
 */
export function missingModules({ model: { config } }: Pick<Compiled, 'model'>, dump: NodeRules): readonly Finding[] {
  if (!modeFacts[config.mode].usesIpvs || hasIpvs(dump)) return [];
  const nat = dump.iptables.flatMap(({ tables }) => tables.get('nat') ?? []).find(({ isWhole }) => isWhole);
  const chains = [...(nat?.chains.values() ?? [])];
  const chain = chains.find(({ name }) => isIptablesModeChain(name));
  // Chains that only IPVS mode makes: chains of iptables mode next to them are leftovers.
  if (chain === undefined || chains.some(({ name }) => isIpvsChain(name))) return [];
  const { modules } = dump.network;
  const wanted = [...new Set([...required, `ip_vs_${config.ipvs.scheduler || 'rr'}`])];
  const missing = modules?.isWhole ? wanted.filter((name) => !modules.names.has(name)) : [];
  const seen = `the node has chains of iptables mode (${chain.name}) and nothing of IPVS`;
  return [
    makeFinding('K8N707', {
      what: missing.length === 0 ? seen : `${seen}; not in the list of modules: ${missing.join(', ')}`,
      found: chainPlace(chain),
    }),
  ];
}

function hasIpvs({ ipsets, ipvs }: NodeRules): boolean {
  const servers = ipvs.some(({ tables }) => [...tables.values()].some(({ chains }) => chains.size > 0));
  const sets = ipsets.some(({ tables }) =>
    [...tables.values()].some(({ chains }) => chains.has('KUBE-CLUSTER-IP') || chains.has('KUBE-6-CLUSTER-IP')),
  );
  return servers || sets;
}
