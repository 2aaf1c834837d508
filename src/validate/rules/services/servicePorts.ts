import type { Complain } from '../../fields/complain.ts';
import { dns1123LabelProblem, portNameProblem, qualifiedNameProblem } from '../../fields/names.ts';
import { quote } from '../../fields/quote.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject, ServicePortObject } from '../../kinds/manifests.ts';
import type { RuleSettings } from '../../ruleSettings.ts';
import { hiddenPortNames, hidesPortNames } from '../../shown/hiddenPortNames.ts';

/** Ports of Services: names, doubles, target ports, and node ports where the type has them. */
export function servicePorts(manifests: Manifests, complain: Complain, { needsPortNames }: RuleSettings): void {
  for (const service of manifests.services) {
    const ports = service.value.spec.ports ?? [];
    if (hidesPortNames(service, ports)) {
      if (needsPortNames) complain(service, hiddenPortNames(['spec', 'ports'], ports.length));
      continue;
    }
    for (const [index, port] of ports.entries()) checkPort(service, port, index, ports.length, complain);
    if (ports.length > 1) checkDoubles(service, ports, complain);
  }
}

function checkPort(
  service: Manifest<ServiceObject>,
  port: ServicePortObject,
  index: number,
  count: number,
  complain: Complain,
): void {
  const { name, targetPort, appProtocol, nodePort } = port;
  if (!name && count > 1) {
    complain(service, {
      code: 'missing-field',
      path: ['spec', 'ports', index, 'name'],
      message: 'is required: each of several ports needs a name',
    });
  }
  const nameProblem = name ? dns1123LabelProblem(name) : undefined;
  if (nameProblem !== undefined) {
    complain(service, {
      code: 'bad-name',
      path: ['spec', 'ports', index, 'name'],
      message: `${quote(name)} ${nameProblem}`,
    });
  }
  // An empty targetPort is defaulted like an absent one.
  const targetProblem = typeof targetPort === 'string' && targetPort !== '' ? portNameProblem(targetPort) : undefined;
  if (targetProblem !== undefined) {
    complain(service, {
      code: 'bad-name',
      path: ['spec', 'ports', index, 'targetPort'],
      message: `${quote(targetPort)} is not the name of a port: it ${targetProblem}`,
      ...(/^[0-9]+$/.test(String(targetPort)) ? { hint: 'a port number is written without quotes' } : {}),
    });
  }
  const protocolProblem = appProtocol ? qualifiedNameProblem(appProtocol) : undefined;
  if (protocolProblem !== undefined) {
    const message = `${quote(appProtocol)} ${protocolProblem}`;
    complain(service, { code: 'bad-name', path: ['spec', 'ports', index, 'appProtocol'], message });
  }
  const type = service.value.spec.type ?? 'ClusterIP';
  if (nodePort && type === 'ClusterIP') {
    complain(service, {
      code: 'misplaced-field',
      path: ['spec', 'ports', index, 'nodePort'],
      message: 'is not allowed in a Service of type ClusterIP',
      hint: 'use type NodePort or LoadBalancer, or leave nodePort out',
    });
  }
  if (type === 'LoadBalancer' && port.port === kubeletPort) {
    complain(service, {
      code: 'misplaced-field',
      path: ['spec', 'ports', index, 'port'],
      message: `a load balancer must not expose port ${kubeletPort}, which the kubelet uses`,
    });
  }
}

/** The API server protects the kubelet from load balancers that forward whole port ranges to nodes. */
const kubeletPort = 10_250;

function checkDoubles(service: Manifest<ServiceObject>, ports: readonly ServicePortObject[], complain: Complain): void {
  const names = new Set<string>();
  const numbers = new Set<number>();
  const nodePorts = new Set<number>();
  for (let index = 0; index < ports.length; index += 1) {
    const { name, port, nodePort, protocol } = ports[index] as ServicePortObject;
    const transport = protocol ?? 'TCP';
    if (name && isDouble(names, name)) {
      complain(service, {
        code: 'duplicate-port',
        path: ['spec', 'ports', index, 'name'],
        message: `another port has the name ${quote(name)}`,
      });
    }
    if (isDouble(numbers, transportKey(port, transport))) {
      const message = `another port has the number ${port}/${transport}`;
      complain(service, { code: 'duplicate-port', path: ['spec', 'ports', index], message });
    }
    if (nodePort && isDouble(nodePorts, transportKey(nodePort, transport))) {
      complain(service, {
        code: 'duplicate-node-port',
        path: ['spec', 'ports', index, 'nodePort'],
        message: `another port has the node port ${nodePort}/${transport}`,
      });
    }
  }
}

function isDouble<T>(seen: Set<T>, key: T): boolean {
  return seen.size === seen.add(key).size;
}

/** A number for each pair, cheaper to compare than text. */
function transportKey(port: number, protocol: 'TCP' | 'UDP' | 'SCTP'): number {
  return port * 4 + (protocol === 'TCP' ? 0 : protocol === 'UDP' ? 1 : 2);
}
