import type { NodeRules } from '../../node/nodeRules.ts';
import { answeringAddresses } from '../ipvs/answeringAddresses.ts';
import type { IpvsFacts } from '../ipvs/ipvsFacts.ts';
import { iptablesSettings } from './iptablesSettings.ts';
import type { SeenSettings } from './seenSettings.ts';

/** Settings of IPVS mode: from its rules, and from what its virtual servers have in common. */
export function ipvsSettings({ iptables }: NodeRules, facts: IpvsFacts): SeenSettings {
  const rules = iptables.find(({ family }) => family === facts.family);
  const { nodePorts: _, isLiberal: __, ...settings } = rules ? iptablesSettings(rules) : { family: facts.family };
  const addresses = answeringAddresses(facts);
  const [first] = facts.servers;
  return {
    ...settings,
    ...(addresses.length > 0 && { nodePorts: { kind: 'addresses', addresses } as const }),
    ...(first && { scheduler: first.service.scheduler }),
  };
}
