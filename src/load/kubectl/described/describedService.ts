import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownEndpoints } from '../shown/shownEndpoints.ts';
import { shownNumber } from '../shown/shownNumber.ts';
import { shownText } from '../shown/shownText.ts';
import type { Described } from './described.ts';
import type { DescribedField, Description } from './description.ts';

/** A Service and its Endpoints. Unknown lines (events) say nothing about rules. */
export function describedService(shown: Description): Described {
  const { first, list, pairs, fields } = shown;
  const name = first('Name') ?? '';
  const namespace = first('Namespace');
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const { ports, subsets, cuts } = portsOf(fields, name);
  const ips = list('IPs').filter((ip) => ip !== 'None');
  const ingress = [...list('LoadBalancer Ingress')].map((text) => {
    const [address = '', mode] = text.split(' ');
    const ipMode = /^\((VIP|Proxy)\)$/.exec(mode ?? '')?.[1];
    const isIp = /^[\d.]+$/.test(address) || address.includes(':');
    return { [isIp ? 'ip' : 'hostname']: address, ...(ipMode === undefined ? {} : { ipMode }) };
  });
  const healthCheckPort = first('HealthCheck NodePort');
  const spec = withoutUnset({
    type: first('Type'),
    clusterIP: first('IP'),
    clusterIPs: ips.length > 1 ? ips : undefined,
    ipFamilies: some(list('IP Families')),
    ipFamilyPolicy: first('IP Family Policy'),
    selector: pairs('Selector'),
    externalIPs: some(list('External IPs')),
    externalName: first('External Name'),
    loadBalancerIP: first('Desired LoadBalancer IP'),
    loadBalancerSourceRanges: some(list('LoadBalancer Source Ranges')),
    sessionAffinity: first('Session Affinity'),
    externalTrafficPolicy: first('External Traffic Policy'),
    internalTrafficPolicy: first('Internal Traffic Policy'),
    trafficDistribution: first('Traffic Distribution'),
    healthCheckNodePort: healthCheckPort === undefined ? undefined : shownNumber(healthCheckPort),
    ports: some(ports),
  });
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: withoutUnset({ ...metadata, labels: shown.labels(), annotations: shown.annotations() }),
    spec,
    ...(ingress.length === 0 ? {} : { status: { loadBalancer: { ingress } } }),
  };
  const hasEndpoints = fields.some(({ key }) => key === 'Endpoints');
  const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets };
  const values = [{ value: service, isWhole: true }, ...(hasEndpoints ? [{ value: endpoints, isWhole: false }] : [])];
  return {
    values,
    cuts,
    hides: 'in descriptions: the timeout of session affinity, endpoints that are not ready, nodes of endpoints',
  };
}

interface DescribedPorts {
  readonly ports: readonly Readonly<Record<string, unknown>>[];
  readonly subsets: readonly unknown[];
  readonly cuts: string[];
}

/** A port begins with its line; those after it belong to it until the next. */
function portsOf(fields: readonly DescribedField[], service: string): DescribedPorts {
  const ports: Record<string, unknown>[] = [];
  const subsets: unknown[] = [];
  const cuts: string[] = [];
  for (const { key, values } of fields) {
    const value = (values[0] ?? '').trim();
    const last = ports.at(-1);
    if (key === 'Port') {
      const words = value.split(/[ \t]+/);
      const [number = '', protocol] = (words.at(-1) ?? '').split('/');
      const name = words.length > 1 ? shownText(words[0]) : undefined;
      ports.push(withoutUnset({ name, port: shownNumber(number), protocol }));
    } else if (key === 'TargetPort' && last !== undefined) {
      last.targetPort = shownNumber(value.split('/')[0] ?? '');
    } else if (key === 'NodePort' && last !== undefined) {
      last.nodePort = shownNumber((value.split(/[ \t]+/).at(-1) ?? '').split('/')[0] ?? '');
    } else if (key === 'Endpoints') {
      const port = withoutUnset({ name: last?.name, protocol: last?.protocol }) as { name?: string; protocol?: string };
      const found = shownEndpoints(value, port);
      for (const subset of found.subsets) subsets.push(subset);
      if (found.hiddenCount > 0) {
        cuts.push(`${found.hiddenCount} more endpoints of ${service} are not shown, and missing here`);
      }
    }
  }
  return { ports, subsets, cuts };
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
