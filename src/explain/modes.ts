import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { count } from '../common/text/count.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { ServiceWords, Topic } from './topic.ts';

/** How the modes differ in what they put on a node, and how they choose endpoints. */
export const modes: Topic = {
  kind: 'modes',
  title: 'What each mode puts on a node, and how it chooses an endpoint',
  about: [
    'iptables mode compares a new connection with the rules of KUBE-SERVICES one after the other, so that each Service makes all of them a little slower; changes are written in bulk. nftables and IPVS mode look a Service up in a map, however many there are.',
    'iptables and nftables mode choose an endpoint at random, each with the same chance: not in turn. IPVS mode goes by its scheduler, in turn unless set otherwise. Packets of a connection that is there already are translated by connection tracking and meet no rule of a Service again.',
    'None of them tries another endpoint where the chosen one does not answer: the client has to connect again. A readiness probe keeps dead Pods out of the endpoints. Userspace mode, until 1.25, took its endpoints in turn and did try others, as kube-proxy itself made the connection.',
  ],
  ofModes: (counts) => counts.map(wordsOf),
};

function wordsOf(counts: ModeCounts): ServiceWords {
  const { mode, compared } = counts;
  const kept = keeps[counts.mode](counts);
  const found =
    compared > 0
      ? `a new connection is compared with up to ${count(compared, 'rule')} before its Service is found`
      : 'a Service is looked up: their number does not count';
  return { heading: `${mode} mode`, lines: [kept, found] };
}

const inRules = ({ rules }: ModeCounts) => count(rules, 'rule');

const keeps: Readonly<Record<ProxyMode, (counts: ModeCounts) => string>> = {
  iptables: inRules,
  ipvs: ({ rules, elements, virtualServers, realServers }) =>
    `${count(virtualServers, 'virtual server')} with ${count(realServers, 'real server')}, ${count(elements, 'member')} of ipsets, ${count(rules, 'rule')} of iptables`,
  nftables: ({ rules, elements }) => `${count(rules, 'rule')}, ${count(elements, 'element')} of sets and maps`,
  userspace: inRules,
};
