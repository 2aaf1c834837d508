import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCidr } from '../../common/addresses/cidr.ts';
import type { PolicySettings } from '../../output/policies/policySettings.ts';
import type { TargetFlags } from './targetOptions.ts';
import { addVerdictOptions, type VerdictFlags } from './verdictOptions.ts';

/** compile's options for NetworkPolicies. */
export interface PolicyCompileFlags extends VerdictFlags {
  readonly policy?: 'nftables' | 'iptables' | 'off';
  readonly policyOnly: boolean;
  readonly policyLayout: 'strict' | 'kube-router';
  readonly syncVersion: string;
  readonly deny: 'drop' | 'reject';
  readonly log?: number;
  readonly unknownPods: 'allow' | 'deny';
  readonly hook?: 'forward' | 'postrouting';
}

export function addPolicyCompileOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        '--policy <kind>',
        'rules for NetworkPolicies: nftables, iptables, off (default: nftables in nftables mode, else iptables)',
      ).choices(['nftables', 'iptables', 'off']),
    )
    .option('--policy-only', "write rules of NetworkPolicies only, none of kube-proxy's", false)
    .addOption(
      new Option(
        '--policy-layout <layout>',
        "policies in iptables: kube-router's layout repaired, or as kube-router 2.11 writes it",
      )
        .choices(['strict', 'kube-router'])
        .default('strict'),
    )
    .option('--sync-version <text>', 'hashed into chain names, as kube-router does with the time of a sync', '0')
    .addOption(new Option('--deny <how>', 'what happens to denied traffic').choices(['drop', 'reject']).default('drop'))
    .option('--log <group>', 'send some denied packets to this netlink log group', logGroup)
    .addOption(
      new Option('--unknown-pods <verdict>', "addresses in the node's Pod range that belong to no known Pod")
        .choices(['allow', 'deny'])
        .default('allow'),
    )
    .addOption(
      new Option(
        '--hook <hook>',
        'policies in nftables: the hook they are attached to (default: postrouting in IPVS mode, else forward)',
      ).choices(['forward', 'postrouting']),
    );
  return addVerdictOptions(command);
}

/** Undefined: no rules for policies are wanted. */
export function policySettings(flags: PolicyCompileFlags & TargetFlags): PolicySettings | undefined {
  const { policy, policyLayout: layout, syncVersion, deny, unknownPods, hairpin, icmp } = flags;
  if (policy === 'off') return undefined;
  const { node, log, hook, podCidr, serviceCidr } = flags;
  const podCIDRs = podCidr?.map(parseCidr).filter((cidr) => cidr !== undefined);
  return {
    backend: policy,
    layout,
    syncVersion,
    deny,
    unknownPods,
    hairpin,
    icmp,
    ...(node === undefined ? {} : { node }),
    ...(log === undefined ? {} : { logGroup: log }),
    ...(hook === undefined ? {} : { hook }),
    ...(podCIDRs === undefined ? {} : { podCIDRs }),
    ...(serviceCidr === undefined ? {} : { serviceCIDRs: serviceCidr }),
  };
}

function logGroup(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('A group is a number up to 65535.');
  }
  return Number(text);
}
