import { ruleHead } from '../../../netfilter/iptables/ruleHead.ts';
import type { Step } from '../../../netfilter/meaning.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { destinationOf, type MatchedTraffic, matchedTraffic, type ServiceDestination } from './matchedTraffic.ts';

/**
 * What a rule can match, according to its words. The destinations of the dump's Services are read on first use; if the
 * dump does not show them (IPVS keeps addresses in sets), any address may be theirs.
 */
export function serviceTraffic(set: ToolRules): (steps: readonly Step[]) => MatchedTraffic {
  let destinations: readonly ServiceDestination[] | undefined;
  return (steps) => {
    destinations ??= destinationsOf(set);
    return destinations.length === 0 ? 'service' : matchedTraffic(destinations, steps);
  };
}

function destinationsOf(set: ToolRules): readonly ServiceDestination[] {
  const nat = set.tables.get('nat');
  return ['KUBE-SERVICES', 'KUBE-NODEPORTS'].flatMap((name) => {
    const chain = nat?.chains.get(name);
    return (chain === undefined ? [] : rulesOf(chain, set.family)).flatMap((rule): readonly ServiceDestination[] => {
      const { destination: ip, protocol, destinationPort } = ruleHead(rule);
      if (protocol === undefined || destinationPort === undefined) return [];
      if ((ip === undefined) !== (name === 'KUBE-NODEPORTS')) return [];
      return [destinationOf(ip, protocol, Number(destinationPort))];
    });
  });
}
