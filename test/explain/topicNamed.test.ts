import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { topicNamed } from '../../src/explain/topicNamed.ts';
import { topics } from '../../src/explain/topics.ts';

/** What people type, and the page that they mean. */
const words: Readonly<Record<string, readonly string[]>> = {
  'cluster-ip': ['ClusterIP', 'clusterip', 'cluster ips'],
  'cluster-network-policy': ['adminnetworkpolicy', 'AdminNetworkPolicies', 'banp', 'ClusterNetworkPolicy'],
  dns: ['CoreDNS', 'externalName', 'resolv.conf'],
  'endpoint-slice': ['endpoints', 'EndpointSlices', 'endpointslice'],
  'external-traffic-policy': ['etp', 'externalTrafficPolicy'],
  'gateway-api': ['gateway', 'gatewayapi', 'HTTPRoute', 'httproutes', 'gateway api'],
  'ip-mode': ['ipmode', 'ipMode'],
  masquerade: ['MASQUERADE', 'snat', 'masq'],
  modes: ['mode', 'iptables', 'kube-proxy'],
  'multi-cluster': ['mcs', 'ServiceImport', 'multicluster'],
  'network-policy': ['netpol', 'networkpolicies', 'NetworkPolicy'],
  'node-port': ['nodeport', 'NodePorts'],
  service: ['svc', 'Services', 'LoadBalancer'],
  'load-balancer-ip': ['loadBalancerIP'],
  'external-ips': ['externalIPs', 'externalIP'],
  'session-affinity': ['sessionaffinity', 'session affinity', 'affinity'],
  'traffic-distribution': ['hints', 'topology-mode', 'PreferClose'],
};

describe('words lead to topics', () => {
  for (const [topic, typed] of Object.entries(words)) {
    for (const word of typed) it(word, () => assert.equal(topicNamed(word), topic));
  }
  it('every topic by its own name, and no other word', () => {
    for (const name of Object.keys(topics)) assert.equal(topicNamed(name), name);
    for (const word of ['', 's', 'whatever', 'K8N203']) assert.equal(topicNamed(word), undefined);
  });
});
