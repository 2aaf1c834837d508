import type { LintContext, LintedPodSpec } from '../lintContext.ts';

/** What dnsConfig adds to the cluster's server and names, where that is more than a resolver reads. */
export function podDnsLimits(context: LintContext): void {
  for (const pod of context.podSpecs) check(context, pod);
}

/** ClusterFirst puts the cluster's server, at least one, before those of dnsConfig, and three names. */
const clusterServers = 1;
const clusterNames = 3;
const mostServers = 3;

function check({ cluster, complain }: LintContext, { spec, manifest, path, title }: LintedPodSpec): void {
  const { dnsPolicy, dnsConfig, hostNetwork } = spec;
  const policy = dnsPolicy || 'ClusterFirst';
  const isCluster = policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && !hostNetwork);
  if (!isCluster || !dnsConfig) return;
  const servers = dnsConfig.nameservers?.length ?? 0;
  if (servers + clusterServers > mostServers) {
    complain(manifest, {
      code: 'dns-limits',
      path: [...path, 'dnsConfig', 'nameservers'],
      message: `${title} has the cluster's DNS server before these, and a resolver reads ${mostServers} servers: the last is left out`,
      hint: 'set dnsPolicy: None to have these alone',
    });
  }
  const names = dnsConfig.searches?.length ?? 0;
  const mostNames = cluster.kubeVersion.minor >= 26 ? 32 : 6;
  if (names > mostNames - clusterNames && names <= mostNames) {
    complain(manifest, {
      code: 'dns-limits',
      path: [...path, 'dnsConfig', 'searches'],
      message: `${title} has the cluster's ${clusterNames} search names before these, and Kubernetes 1.${cluster.kubeVersion.minor} takes ${mostNames} in all: the last are left out`,
    });
  }
}
