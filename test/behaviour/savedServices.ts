/** A dump of iptables mode: `chains` of Services, the `rules` of nat that lead to them, and what else `forward` does. */
export function savedServices(
  chains: readonly string[],
  rules: readonly string[],
  forward: readonly string[] = [],
): string {
  return [
    '*filter',
    ...['INPUT', 'FORWARD', 'OUTPUT'].map((name) => `:${name} ACCEPT [0:0]`),
    ...forward,
    'COMMIT',
    '*nat',
    ...['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'].map((name) => `:${name} ACCEPT [0:0]`),
    ...['KUBE-SERVICES', 'KUBE-MARK-MASQ', 'KUBE-POSTROUTING', ...chains].map((name) => `:${name} - [0:0]`),
    '-A PREROUTING -j KUBE-SERVICES',
    '-A OUTPUT -j KUBE-SERVICES',
    '-A POSTROUTING -j KUBE-POSTROUTING',
    '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
    '-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN',
    '-A KUBE-POSTROUTING -j MASQUERADE',
    ...rules,
    'COMMIT',
    '',
  ].join('\n');
}

/** The rules of a chain that shares packets evenly among endpoints, each of which has a chain. */
export function balancingRules(service: string, endpoints: readonly string[]): readonly string[] {
  return endpoints.map((endpoint, at) => {
    const left = endpoints.length - at;
    const chance = left === 1 ? '' : ` -m statistic --mode random --probability ${(1 / left).toFixed(11)}`;
    return `-A ${service}${chance} -j ${endpoint}`;
  });
}

/** The rules of the chain of one endpoint. */
export function endpointRules(endpoint: string, ip: string): readonly string[] {
  return [
    `-A ${endpoint} -s ${ip}/32 -j KUBE-MARK-MASQ`,
    `-A ${endpoint} -p tcp -m tcp -j DNAT --to-destination ${ip}:8080`,
  ];
}
