import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownText } from '../shown/shownText.ts';
import type { Described } from './described.ts';
import type { Description } from './description.ts';

/** A Node: its addresses, the ranges of its Pods, versions, and what network plug-ins wrote into its annotations. */
export function describedNode(shown: Description): Described {
  const blockOf = (key: string) => shown.fields.find((field) => field.key === key)?.block ?? [];
  const addresses = blockOf('Addresses').flatMap((line) => {
    const [, type, address] = /^ +(InternalIP|ExternalIP|Hostname|InternalDNS|ExternalDNS):\s*(\S+)/.exec(line) ?? [];
    return address === undefined ? [] : [{ type, address }];
  });
  const about = (key: string): string | undefined =>
    shownText(
      blockOf('System Info')
        .map((line) => new RegExp(`^ +${key}:\\s*(\\S+)`).exec(line)?.[1])
        .find((text) => text !== undefined),
    );
  const podCIDRs = shown.list('PodCIDRs');
  const readiness = blockOf('Conditions')
    .map((line) => /^ +Ready +(True|False|Unknown)/.exec(line)?.[1])
    .find((status) => status !== undefined);
  const nodeInfo = withoutUnset({
    kubeletVersion: about('Kubelet Version'),
    kubeProxyVersion: about('Kube-Proxy Version'),
  });
  const value = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: withoutUnset({
      name: shown.first('Name'),
      labels: shown.labels(),
      annotations: shown.annotations(),
    }),
    spec: withoutUnset({
      podCIDR: shown.first('PodCIDR'),
      podCIDRs: podCIDRs.length > 0 ? podCIDRs : undefined,
    }),
    status: withoutUnset({
      addresses: addresses.length > 0 ? addresses : undefined,
      conditions: readiness === undefined ? undefined : [{ type: 'Ready', status: readiness }],
      nodeInfo: Object.keys(nodeInfo).length > 0 ? nodeInfo : undefined,
    }),
  };
  return { values: [{ value, isWhole: true }], cuts: [] };
}
