import type { Command } from 'commander';
import { cidrList } from './targetOptions.ts';

/** For commands that can invent Pods, and have no other target options. */
export interface AssumeFlags {
  readonly assumePods: boolean;
  readonly podCidr?: readonly string[];
  readonly assumeEmptyLabels?: boolean;
}

export function addAssumeOptions(command: Command): Command {
  return command
    .option('--assume-pods', 'make up the Pods of Deployments and other workloads', false)
    .option('--pod-cidr <cidrs>', "range of assumed Pods (default: the Node's)", cidrList);
}

/** For commands that judge NetworkPolicies. */
export function addEmptyLabelsOption(command: Command): Command {
  return command.option(
    '--assume-empty-labels',
    'take labels and port names that the input does not show for none',
    false,
  );
}

/** The options as the resolver takes them. */
export function assumeOptions({ assumePods, podCidr, assumeEmptyLabels }: AssumeFlags) {
  return {
    assumesPods: assumePods,
    ...(podCidr && { podCIDRs: podCidr }),
    ...(assumeEmptyLabels && { assumesEmptyLabels: true }),
  };
}
