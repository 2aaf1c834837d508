import { type PortRange, usualNodePorts } from '../../../common/addresses/portRange.ts';
import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import { originIn } from '../../../diagnostics/originIn.ts';
import type { Complain } from '../../fields/complain.ts';
import { nameOf } from '../../fields/describe.ts';
import type { Claims } from '../../keptClaims.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../../kinds/manifests.ts';
import type { RuleSettings } from '../../ruleSettings.ts';

/** Node ports: in the usual range, and each with one Service; health-check node ports are taken from the same ones. */
export function duplicateNodePorts(
  manifests: Manifests,
  complain: Complain,
  { nodePortRange = usualNodePorts }: Partial<RuleSettings> = {},
): void {
  const owners = new Map<number, Claim[]>();
  for (const service of manifests.services) {
    checkHealthCheckPort(service, complain);
    for (const claim of claimsOf(service)) {
      checkRange(claim, nodePortRange, complain);
      const others = owners.get(claim.port);
      if (others === undefined) owners.set(claim.port, [claim]);
      else {
        const other = others.find((earlier) => earlier.service !== service && earlier.protocol === claim.protocol);
        if (other !== undefined) complainAboutDouble(claim, other, complain);
        // At most one a protocol is kept, so that the search stays short.
        else if (others.every((earlier) => earlier.protocol !== claim.protocol)) others.push(claim);
      }
    }
  }
}

export const nodePorts: Claims = {
  lists: ['services'],
  of: (manifest) =>
    new Set(claimsOf(manifest as Manifest<ServiceObject>).map(({ port, protocol }) => `${port}/${protocol}`)),
};

interface Claim {
  readonly service: Manifest<ServiceObject>;
  readonly port: number;
  readonly protocol: string;
  readonly path: JsonPath;
}

function claimsOf(service: Manifest<ServiceObject>): readonly Claim[] {
  const { ports, type, healthCheckNodePort } = service.value.spec;
  if (type !== 'NodePort' && type !== 'LoadBalancer') return [];
  const claims: Claim[] = [];
  for (const [index, { nodePort, protocol }] of (ports ?? []).entries()) {
    const path = ['spec', 'ports', index, 'nodePort'];
    if (nodePort) claims.push({ service, port: nodePort, protocol: protocol ?? 'TCP', path });
  }
  if (healthCheckNodePort) {
    claims.push({ service, port: healthCheckNodePort, protocol: 'TCP', path: ['spec', 'healthCheckNodePort'] });
  }
  return claims;
}

/** One allocator hands out both, whatever the protocol. */
function checkHealthCheckPort(service: Manifest<ServiceObject>, complain: Complain): void {
  const { ports, healthCheckNodePort } = service.value.spec;
  const index = (ports ?? []).findIndex(({ nodePort }) => nodePort && nodePort === healthCheckNodePort);
  if (index < 0) return;
  complain(service, {
    code: 'duplicate-node-port',
    path: ['spec', 'healthCheckNodePort'],
    message: `${healthCheckNodePort} is already a nodePort of this Service`,
    also: [originIn(service.origin, ['spec', 'ports', index, 'nodePort'])],
  });
}

function checkRange({ service, port, path }: Claim, { first, last }: PortRange, complain: Complain): void {
  if (port >= first && port <= last) return;
  const isUsual = first === usualNodePorts.first && last === usualNodePorts.last;
  complain(service, {
    code: 'node-port-range',
    path,
    message: `${port} is outside the ${isUsual ? 'default ' : ''}node port range ${first}-${last}`,
    ...(isUsual && { hint: '--service-node-port-range names another range' }),
  });
}

function complainAboutDouble(claim: Claim, other: Claim, complain: Complain): void {
  complain(claim.service, {
    code: 'duplicate-node-port',
    path: claim.path,
    message: `${claim.port}/${claim.protocol} is already used by Service ${nameOf(other.service.value.metadata)}`,
    also: [originIn(other.service.origin, other.path)],
  });
}
