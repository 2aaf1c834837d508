/** What a set of kube-proxy's IPVS mode is for, of either family: `CLUSTER-IP`, `NODE-PORT-TCP`. Undefined: not one. */
export function proxySetKind(set: string): string | undefined {
  const kind = /^KUBE-(?:6-)?(.+)$/.exec(set)?.[1];
  return kind !== undefined && proxySets.test(kind) ? kind : undefined;
}

const proxySets = /^(?:LOOP-BACK|CLUSTER-IP|EXTERNAL-IP|LOAD-BALANCER|NODE-PORT|HEALTH-CHECK|IPVS-IPS)/;
