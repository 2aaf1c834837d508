import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Complain } from '../complaint.ts';
import type { Manifest, Manifests, ServiceObject, ServicePortObject } from '../manifests.ts';
import { dns1123LabelProblem, portNameProblem, qualifiedNameProblem } from '../names.ts';
import { quote } from '../quote.ts';

/** Ports of Services: names, doubles, target ports, and node ports where the type has them. */
export function servicePorts(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const ports = service.value.spec.ports ?? [];
    for (const [index, port] of ports.entries())
      checkPort(service, port, ['spec', 'ports', index], ports.length, complain);
    if (ports.length > 1) checkDoubles(service, ports, complain);
  }
}

function checkPort(
  service: Manifest<ServiceObject>,
  port: ServicePortObject,
  path: JsonPath,
  count: number,
  complain: Complain,
): void {
  const { name, targetPort, appProtocol, nodePort } = port;
  if (!name && count > 1) {
    complain(service, {
      code: 'missing-field',
      path: [...path, 'name'],
      message: 'is required: each of several ports needs a name',
    });
  }
  const nameProblem = name ? dns1123LabelProblem(name) : undefined;
  if (nameProblem !== undefined) {
    complain(service, { code: 'bad-name', path: [...path, 'name'], message: `${quote(name)} ${nameProblem}` });
  }
  // An empty targetPort is defaulted like an absent one.
  const targetProblem = typeof targetPort === 'string' && targetPort !== '' ? portNameProblem(targetPort) : undefined;
  if (targetProblem !== undefined) {
    complain(service, {
      code: 'bad-name',
      path: [...path, 'targetPort'],
      message: `${quote(targetPort)} is not the name of a port: it ${targetProblem}`,
      ...(/^[0-9]+$/.test(String(targetPort)) ? { hint: 'a port number is written without quotes' } : {}),
    });
  }
  const protocolProblem = appProtocol ? qualifiedNameProblem(appProtocol) : undefined;
  if (protocolProblem !== undefined) {
    const message = `${quote(appProtocol)} ${protocolProblem}`;
    complain(service, { code: 'bad-name', path: [...path, 'appProtocol'], message });
  }
  const type = service.value.spec.type ?? 'ClusterIP';
  if (nodePort && type === 'ClusterIP') {
    complain(service, {
      code: 'misplaced-field',
      path: [...path, 'nodePort'],
      message: 'is not allowed in a Service of type ClusterIP',
      hint: 'use type NodePort or LoadBalancer, or leave nodePort out',
    });
  }
  if (type === 'LoadBalancer' && port.port === kubeletPort) {
    complain(service, {
      code: 'misplaced-field',
      path: [...path, 'port'],
      message: `a load balancer must not expose port ${kubeletPort}, which the kubelet uses`,
    });
  }
}

/** The API server protects the kubelet from load balancers that forward whole port ranges to nodes. */
const kubeletPort = 10_250;

function checkDoubles(service: Manifest<ServiceObject>, ports: readonly ServicePortObject[], complain: Complain): void {
  const seen = new Set<string>();
  const isDouble = (key: string) => seen.size === seen.add(key).size;
  for (const [index, { name, port, nodePort, protocol }] of ports.entries()) {
    const path = ['spec', 'ports', index];
    const transport = protocol ?? 'TCP';
    if (name && isDouble(`name ${name}`)) {
      complain(service, {
        code: 'duplicate-port',
        path: [...path, 'name'],
        message: `another port has the name ${quote(name)}`,
      });
    }
    if (isDouble(`port ${port}/${transport}`)) {
      complain(service, { code: 'duplicate-port', path, message: `another port has the number ${port}/${transport}` });
    }
    if (nodePort && isDouble(`node port ${nodePort}/${transport}`)) {
      complain(service, {
        code: 'duplicate-node-port',
        path: [...path, 'nodePort'],
        message: `another port has the node port ${nodePort}/${transport}`,
      });
    }
  }
}
