/** What a set of kube-proxy's IPVS mode is for, of either family: `CLUSTER-IP`, `NODE-PORT-TCP`. Undefined: not one. */
export function proxySetKind(set: string): string | undefined {
  const kind = /^KUBE-(?:6-)?(.+)$/.exec(set)?.[1];
  return kind !== undefined && proxySets.test(kind) ? kind : undefined;
}

/** The name in IPv6, since 1.16, of a set that is `name` in IPv4. The kernel takes 31 characters; kube-proxy cuts it there. */
export function ipv6SetName(name: string): string {
  return name.replace('KUBE-', infixed).slice(0, 31);
}

export function isIpv6SetName(set: string): boolean {
  return set.startsWith(infixed);
}

/** Sets by their names in IPv4, of either family, as the regular expressions of awk tell them. */
export function setPattern(names: readonly string[]): string {
  const kinds = names.map((name) => name.slice('KUBE-'.length)).join('|');
  return `KUBE-(6-)?${names.length === 1 ? kinds : `(${kinds})`}`;
}

const infixed = 'KUBE-6-';

const proxySets = /^(?:LOOP-BACK|CLUSTER-IP|EXTERNAL-IP|LOAD-BALANCER|NODE-PORT|HEALTH-CHECK|IPVS-IPS)/;
