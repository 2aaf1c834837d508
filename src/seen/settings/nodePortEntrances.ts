import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import { jumpOf } from '../../netfilter/iptables/ruleParts.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { pickRules } from '../../node/pickRules.ts';

/** Where iptables mode opens node ports. */
export interface NodePortEntrances {
  /** On every address except loopback: `! -d 127.0.0.0/8 … -j KUBE-NODEPORTS`. */
  readonly excludesLoopback: boolean;
  /** On all addresses, or all except loopback: one rule says so. */
  readonly isEverywhere: boolean;
  /** Only on these: `-d 192.168.10.1/32 … -j KUBE-NODEPORTS`. */
  readonly addresses: readonly string[];
}

export function nodePortEntrances({ family, tables }: ToolRules): NodePortEntrances {
  const services = tables.get('nat')?.chains.get('KUBE-SERVICES');
  const addresses: string[] = [];
  let [excludesLoopback, isEverywhere] = [false, false];
  for (const { rule } of pickRules(services, family, { holds: [' KUBE-NODEPORTS'] })) {
    if (jumpOf(rule) !== 'KUBE-NODEPORTS') continue;
    const destination = rule.words.find((word) => word.kind === 'destination');
    if (destination?.kind === 'destination' && !destination.negated) addresses.push(hostOfCidr(destination.address));
    else isEverywhere = true;
    if (destination?.kind === 'destination' && destination.negated && destination.address === '127.0.0.0/8')
      excludesLoopback = true;
  }
  return { excludesLoopback, isEverywhere, addresses: isEverywhere ? [] : addresses };
}
