import { type Command, Option } from 'commander';
import { cidrAddress, parseCidr } from '../../common/addresses/cidr.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import { type ProxyMode, proxyModes } from '../../common/proxy/proxyMode.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { ImportOptions } from '../../import/importRules.ts';
import { dumpFamilyOption } from './commonOptions.ts';
import { address, clusterCidr, ips, kubeVersion } from './targetOptions.ts';

/** Options of commands that read manifests back from a dump. */
export interface ImportFlags {
  readonly node?: string;
  readonly nodeIp?: readonly string[];
  readonly nodeAddress?: readonly string[];
  readonly podCidr?: readonly string[];
  readonly family: 'ipv4' | 'ipv6' | 'both';
}

/** `names`: the names of the options for the mode and the version that wrote the rules. */
export function addImportOptions(
  command: Command,
  names: { readonly mode: string; readonly version: string },
): Command {
  return command
    .option('--node <node>', 'name of the node that the dump is of (default: what facts in the dump say, else "node")')
    .option('--node-ip <ips>', 'IP of that node, or one of each family (default: as the rules show it)', ips)
    .option('--node-address <cidr>', 'another address of that node, with its prefix length; can be repeated', address)
    .option(
      '--pod-cidr <cidrs>',
      "range of that node's Pods, or one of each family: endpoints in it are on the node (default: only where rules tell)",
      (text: string) =>
        clusterCidr(text)
          .split(',')
          .map((one) => one.trim()),
    )
    .addOption(
      new Option(`${names.mode} <mode>`, 'mode whose rules are read, where the dump has those of several').choices(
        proxyModes,
      ),
    )
    .addOption(
      new Option(
        `${names.version} <version>`,
        'version of kube-proxy that wrote the rules (default: as they show it)',
      ).argParser(kubeVersion),
    )
    .addOption(dumpFamilyOption());
}

/** The options as the import takes them. */
export function importOptions(flags: WrittenBy & ImportFlags): ImportOptions {
  const { node, nodeIp, nodeAddress, podCidr, fromMode, fromVersion } = flags;
  return {
    // In the form in which kube-proxy compares it with an endpoint's nodeName.
    node: node?.trim().toLowerCase(),
    nodeIPs: nodeIp?.map((ip) => canonicalIp(ip) ?? ip),
    nodeAddresses: nodeAddress?.flatMap((text) => cidrAddress(text) ?? []),
    podCIDRs: podCidr?.flatMap((cidr) => parseCidr(cidr)?.text ?? []),
    mode: fromMode,
    kubeVersion: fromVersion,
  };
}

/** Given facts about the rules; undefined: the rules show them. */
interface WrittenBy {
  readonly fromMode?: ProxyMode | undefined;
  readonly fromVersion?: KubeVersion | undefined;
}
