import type { Command } from 'commander';
import { cidrList } from './targetOptions.ts';

/** Of commands that can make up Pods, and have no other target options. */
export interface AssumeFlags {
  readonly assumePods: boolean;
  readonly podCidr?: readonly string[];
}

export function addAssumeOptions(command: Command): Command {
  return command
    .option('--assume-pods', 'make up the Pods of Deployments and other workloads', false)
    .option('--pod-cidr <cidrs>', "range of assumed Pods (default: the Node's)", cidrList);
}

/** The options as the resolver takes them. */
export function assumeOptions({ assumePods, podCidr }: AssumeFlags) {
  return { assumesPods: assumePods, ...(podCidr && { podCIDRs: podCidr }) };
}
