import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { memoized } from '../../common/memoized.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { type RuleView, ruleView } from '../../netfilter/iptables/print/ruleView.ts';
import { type ServiceChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';
import { eachChain } from '../../node/chains/eachChain.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { pickRules } from '../../node/pickRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { isPodShortcut, shortcuts } from '../names/isPodShortcut.ts';
import { saysClusterIP, serviceInComment } from '../names/serviceInComment.ts';
import { type MasqueradeVotes, settledVotes } from './masqueradeVotes.ts';
import type { SeenDetector, SeenSettings } from './seenSettings.ts';

/**
 * How iptables and IPVS mode recognize traffic of local Pods, and whether they masquerade all traffic to cluster IPs.
 * All Services are alike, so a few of them are enough.
 */
export const iptablesMasquerade = memoized(
  ({ tables, family }: ToolRules): Pick<SeenSettings, 'detector' | 'masqueradesAll'> => {
    const nat = tables.get('nat');
    if (nat === undefined) return {};
    const votes: MasqueradeVotes = { clusterIPs: [], pods: [] };
    const read = (chain: RuleChain | undefined, most: number) => {
      let count = 0;
      for (const { rule } of pickRules(chain, family, { holds: telling })) {
        readRule(ruleView(rule), votes);
        count += 1;
        if (count === most) return;
      }
    };
    // Through 1.21, and in IPVS mode, the rules are here; since 1.22 they are in chains of Services.
    read(nat.chains.get('KUBE-SERVICES'), mostRules);
    const asked = { balance: 0, external: 0 };
    for (const chain of eachChain(nat, { kinds: (kind) => sideOf(kind) !== undefined })) {
      const side = sideOf(serviceChainKind(chain.name));
      if (side === undefined || asked[side] >= mostChains) continue;
      read(chain, mostRules);
      asked[side] += 1;
      if (asked.balance >= mostChains && asked.external >= mostChains) break;
    }
    return settledVotes(votes);
  },
);

const telling = [' KUBE-MARK-MASQ', ' MARK ', ...shortcuts];

const mostRules = 200;

const mostChains = 50;

function sideOf(kind: ServiceChainKind | undefined): 'balance' | 'external' | undefined {
  if (kind === 'balance' || kind === 'localBalance') return 'balance';
  return kind === 'external' || kind === 'localExternal' ? 'external' : undefined;
}

function readRule(view: RuleView, { clusterIPs, pods }: MasqueradeVotes): void {
  if (isPodShortcut(view.comment)) {
    const detector = detectorOf(view, false);
    if (detector !== undefined) pods.push(detector);
    return;
  }
  if ((view.jump !== 'KUBE-MARK-MASQ' && view.target?.kind !== 'mark') || !isForClusterIP(view)) return;
  const detector = detectorOf(view, true);
  if (detector !== undefined || view.set === undefined || view.set.sides === 'dst,dst')
    clusterIPs.push({ service: `${view.destination} ${view.protocol} ${view.port}`, detector });
}

function isForClusterIP(view: RuleView): boolean {
  if (saysClusterIP(view.comment)) return true;
  if (view.set !== undefined && proxySetKind(view.set.name) === 'CLUSTER-IP') return true;
  // An edited comment only shows the name: the traffic that an address exempts shows the rest.
  const isUnsaid = serviceInComment(view.comment)?.what === '';
  return isUnsaid && view.destination !== undefined && detectorOf(view, true) !== undefined;
}

/**
 * How a rule recognizes traffic of local Pods, or with `isNegated` other traffic: `-s 10.244.0.0/16`, `! -i cbr0`, `-i
 * veth+`.
 */
function detectorOf(view: RuleView, isNegated: boolean): SeenDetector | undefined {
  const cidr = isNegated ? view.notSource : view.source;
  const name = isNegated ? view.notInInterface : view.inInterface;
  if (cidr !== undefined) return { kind: 'cidr', cidr: cidr.includes('/') ? cidr : hostCidr(cidr) };
  if (name === undefined) return undefined;
  return name.endsWith('+') ? { kind: 'prefix', prefix: name.slice(0, -1) } : { kind: 'bridge', name };
}
