import { type Command, Option } from 'commander';
import type { PodDnsSettings } from '../../derive/podDns/podDns.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { readDumpText } from '../dumps/readDumpText.ts';
import { namespacedName } from '../words/namespacedName.ts';
import { dnsAddresses } from './dnsAddresses.ts';
import { clusterDomain, defaultClusterDomain, type NamespacedName } from './emitPodOptions.ts';

/** The options that describe the kubelet's DNS settings. */
export interface PodDnsFlags {
  readonly clusterDomain: string;
  readonly clusterDns?: readonly string[] | 'none';
  readonly dnsService: NamespacedName;
  readonly nodeResolvConf?: string;
}

export function addPodDnsOptions(command: Command): Command {
  return command
    .option('--cluster-domain <domain>', "the cluster's DNS domain", clusterDomain, defaultClusterDomain)
    .option('--cluster-dns <ips>', "the kubelet's --cluster-dns, or none (default: the DNS Service's)", dnsServers)
    .addOption(
      new Option('--dns-service <service>', "Service of the cluster's DNS servers")
        .argParser(namespacedName)
        .default(namespacedName('kube-system/kube-dns'), 'kube-system/kube-dns'),
    )
    .option('--node-resolv-conf <file>', "the node's resolv.conf; '' for a kubelet with --resolv-conf=\"\"");
}

/** Reads the files that the options name. */
export function podDnsSettings(flags: PodDnsFlags, report: Report): PodDnsSettings {
  const { nodeResolvConf: file, clusterDns } = flags;
  return {
    clusterDomain: flags.clusterDomain,
    clusterDns: clusterDns === 'none' ? 'none' : { service: flags.dnsService, addresses: clusterDns },
    nodeResolvConf: file === undefined || file === '' ? file : readDumpText(file, report),
  };
}

function dnsServers(text: string): readonly string[] | 'none' {
  return text === 'none' ? 'none' : dnsAddresses(text);
}
