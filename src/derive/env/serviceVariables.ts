import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Service } from '../../model/service.ts';

/** One environment variable and the Service that it describes. */
export interface ServiceVariable {
  readonly name: string;
  readonly value: string;
  readonly service: Service;
}

/**
 * The variables of Services, in the kubelet's order within each. Where two Services make one name the later one has it,
 * at the place of the first; the kubelet itself walks its Services in no order.
 */
export function serviceVariables(services: readonly Service[], report: Report): readonly ServiceVariable[] {
  const byName = new Map<string, ServiceVariable>();
  for (const service of services) {
    for (const [name, value] of variablesOf(service)) {
      const other = byName.get(name);
      if (other !== undefined && other.service !== service) reportClash(name, other.service, service, report);
      byName.set(name, { name, value, service });
    }
  }
  return [...byName.values()];
}

/** `REDIS_MASTER_SERVICE_HOST` and `…_PORT` first, then the links that Docker used to make. */
function variablesOf({ name, clusterIPs, ports }: Service): readonly (readonly [name: string, value: string])[] {
  const prefix = variableName(name);
  const [host = ''] = clusterIPs;
  const authority = host.includes(':') ? `[${host}]` : host;
  const [first] = ports;
  const variables: [string, string][] = [[`${prefix}_SERVICE_HOST`, host]];
  if (first === undefined) return variables;
  variables.push([`${prefix}_SERVICE_PORT`, String(first.port)]);
  for (const port of ports) {
    if (port.name !== '') variables.push([`${prefix}_SERVICE_PORT_${variableName(port.name)}`, String(port.port)]);
  }
  variables.push([`${prefix}_PORT`, `${first.protocol.toLowerCase()}://${authority}:${first.port}`]);
  for (const { protocol, port } of ports) {
    const link = `${prefix}_PORT_${port}_${protocol}`;
    const scheme = protocol.toLowerCase();
    variables.push(
      [link, `${scheme}://${authority}:${port}`],
      [`${link}_PROTO`, scheme],
      [`${link}_PORT`, String(port)],
      [`${link}_ADDR`, host],
    );
  }
  return variables;
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

function reportClash(name: string, earlier: Service, later: Service, report: Report): void {
  report({
    code: 'env-clash',
    severity: 'warning',
    message: `Services ${earlier.id} and ${later.id} both make the variable ${name}; here the latter has it, the kubelet takes either`,
    at: [later.origin, earlier.origin],
    hint: 'rename one of them',
  });
}
