import type { LintContext, LintedPodSpec } from '../lintContext.ts';

/** Names of Pods that nobody can ask for, and Pods that cannot ask for those of Services. */
export function podNames(context: LintContext): void {
  for (const pod of context.podSpecs) {
    checkSubdomain(context, pod, pod.spec.subdomain ?? '', [...pod.path, 'subdomain']);
    checkSubdomain(context, pod, pod.serviceName, ['spec', 'serviceName']);
    checkPolicy(context, pod);
  }
}

/** Where the input has no Service of the namespace at all, the one that is meant may be elsewhere. */
function checkSubdomain(
  { services, namespacesWithServices, complain }: LintContext,
  { namespace, manifest, title, workload }: LintedPodSpec,
  subdomain: string,
  path: readonly string[],
): void {
  if (subdomain === '' || !namespacesWithServices.has(namespace)) return;
  const found = services.get(`${namespace}/${subdomain}`);
  // CoreDNS names the endpoints of Services with a cluster IP too; the specification does not.
  if (found?.service.kind === 'headless' || found?.service.kind === 'clusterIP') return;
  const whose = workload === undefined ? title : `the Pods of ${title}`;
  complain(manifest, {
    code: 'subdomain-without-service',
    path,
    message:
      found === undefined
        ? `the input has no Service ${namespace}/${subdomain}, so DNS has no name for ${whose}`
        : `Service ${namespace}/${subdomain} has no endpoints of its own, so DNS has no name for ${whose}`,
    hint: 'add a headless Service (clusterIP: None) of that name that selects the Pods',
  });
}

/** Only where somebody wrote it: the API server fills ClusterFirst in, and what it gives has an identity. */
function checkPolicy({ complain }: LintContext, { spec, manifest, path, title, isServed }: LintedPodSpec): void {
  if (!spec.hostNetwork || spec.dnsPolicy !== 'ClusterFirst' || isServed) return;
  complain(manifest, {
    code: 'host-network-cluster-first',
    path: [...path, 'dnsPolicy'],
    message: `${title} shares its node's network, so ClusterFirst means Default: it asks the node's servers and finds no Services`,
    hint: 'set dnsPolicy: ClusterFirstWithHostNet',
  });
}
