import type { LintContext, LintedService } from '../lintContext.ts';

/** Host ports that a Service has as its node port: the node sends them to the Service, and the Pod gets nothing. */
export function hostPorts({ services, podSpecs, complain }: LintContext): void {
  const nodePorts = new Map<string, LintedService>();
  for (const linted of services.values()) {
    for (const { nodePort, protocol } of linted.manifest.value.spec.ports ?? []) {
      if (nodePort && linted.service.type !== 'ClusterIP') nodePorts.set(`${nodePort}/${protocol ?? 'TCP'}`, linted);
    }
  }
  if (nodePorts.size === 0) return;
  for (const { containers, spec, manifest, path, title } of podSpecs) {
    for (const [index, { ports }] of containers.entries()) {
      for (const [at, { hostPort, containerPort, protocol }] of (ports ?? []).entries()) {
        const port = spec.hostNetwork ? containerPort : hostPort;
        const owner = port ? nodePorts.get(`${port}/${protocol ?? 'TCP'}`) : undefined;
        if (owner === undefined) continue;
        complain(manifest, {
          code: 'host-port-is-node-port',
          path: [...path, 'containers', index, 'ports', at, hostPort ? 'hostPort' : 'containerPort'],
          message: `port ${port} of the node is wanted by ${title} and is the node port of Service ${owner.service.id}, whose rules come first`,
          also: [owner.manifest.origin],
          hint: 'take a host port out of the range of node ports, 30000-32767',
        });
      }
    }
  }
}
