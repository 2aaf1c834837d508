import type { Namespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { sortedListing } from '../support/sortedListing.ts';

/** Rules and sets of a namespace, without what the tools and the kernel make up. */
export async function policyState(namespace: Namespace): Promise<string> {
  const script =
    '{ nft -s list table ip k8snet-netpol; iptables-nft-save -t filter; iptables-legacy-save -t filter; ipset save | sort; } 2>/dev/null';
  const all = await runIn(namespace, ['sh', '-c', script]);
  return sortedListing(all)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/ (?:initval|hashsize|bucketsize) \S+/g, '').replace(/\[\d+:\d+\]/, ''))
    .filter((line) => !/^(?:\*filter|:(?:INPUT|FORWARD|OUTPUT) ACCEPT |COMMIT)/.test(line))
    .join('\n');
}
