import { shownEndpoints } from './shownEndpoints.ts';
import { pairsOf } from './tableObject.ts';

/** A Service and its Endpoints, as far as they are shown. */
export interface Described {
  readonly values: readonly unknown[];
  readonly cuts: string[];
}

/** Whether a line begins what `kubectl describe` prints. */
export function isDescription(line: string): boolean {
  return /^Name:[ \t]+\S/.test(line);
}

/** Whether the descriptions of a text are of Services. */
export function describesServices(text: string): boolean {
  return /^Session Affinity:/m.test(text);
}

/** Reads the lines of one description. Unknown lines (events, conditions) say nothing about rules. */
export function readDescription(lines: readonly string[]): Described {
  const fields = fieldsOf(lines);
  const first = (name: string): string | undefined => shown(fields.find(({ key }) => key === name)?.values[0]);
  const listOf = (name: string): readonly string[] => first(name)?.split(/, */) ?? [];
  const pairs = (name: string): Readonly<Record<string, string>> | undefined => {
    const values = (fields.find(({ key }) => key === name)?.values ?? []).filter((value) => shown(value) !== undefined);
    return values.length === 0 ? undefined : pairsOf(values.join(','));
  };
  const name = first('Name') ?? '';
  const namespace = first('Namespace');
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const { ports, subsets, cuts } = portsOf(fields, name);
  const ips = listOf('IPs').filter((ip) => ip !== 'None');
  const ingress = [...listOf('LoadBalancer Ingress')].map((text) => {
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
    ipFamilies: some(listOf('IP Families')),
    ipFamilyPolicy: first('IP Family Policy'),
    selector: pairs('Selector'),
    externalIPs: some(listOf('External IPs')),
    externalName: first('External Name'),
    loadBalancerIP: first('Desired LoadBalancer IP'),
    loadBalancerSourceRanges: some(listOf('LoadBalancer Source Ranges')),
    sessionAffinity: first('Session Affinity'),
    externalTrafficPolicy: first('External Traffic Policy'),
    internalTrafficPolicy: first('Internal Traffic Policy'),
    trafficDistribution: first('Traffic Distribution'),
    healthCheckNodePort: healthCheckPort === undefined ? undefined : numberOf(healthCheckPort),
    ports: some(ports),
  });
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: withoutUnset({ ...metadata, labels: pairs('Labels'), annotations: annotationsOf(fields) }),
    spec,
    ...(ingress.length === 0 ? {} : { status: { loadBalancer: { ingress } } }),
  };
  const hasEndpoints = fields.some(({ key }) => key === 'Endpoints');
  const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets };
  return { values: hasEndpoints ? [service, endpoints] : [service], cuts };
}

interface Field {
  readonly key: string;
  /** The one on its line, and those below it. */
  readonly values: string[];
}

/** Lines of a column to the right belong to the key above; what is indented less does not concern a Service. */
function fieldsOf(lines: readonly string[]): readonly Field[] {
  const fields: Field[] = [];
  for (const line of lines) {
    const [, key = '', value = ''] = /^([A-Z][A-Za-z ]*):[ \t]*(.*)$/.exec(line) ?? [];
    if (key !== '') fields.push({ key, values: [value] });
    else if (/^[ \t]{8,}\S/.test(line)) fields.at(-1)?.values.push(line.trim());
  }
  return fields;
}

interface DescribedPorts {
  readonly ports: readonly Readonly<Record<string, unknown>>[];
  readonly subsets: readonly unknown[];
  readonly cuts: string[];
}

/** A port begins with its line; those after it belong to it until the next. */
function portsOf(fields: readonly Field[], service: string): DescribedPorts {
  const ports: Record<string, unknown>[] = [];
  const subsets: unknown[] = [];
  const cuts: string[] = [];
  for (const { key, values } of fields) {
    const value = (values[0] ?? '').trim();
    const last = ports.at(-1);
    if (key === 'Port') {
      const words = value.split(/[ \t]+/);
      const [number = '', protocol] = (words.at(-1) ?? '').split('/');
      const name = words.length > 1 ? shown(words[0]) : undefined;
      ports.push(withoutUnset({ name, port: numberOf(number), protocol }));
    } else if (key === 'TargetPort' && last !== undefined) {
      last.targetPort = numberOf(value.split('/')[0] ?? '');
    } else if (key === 'NodePort' && last !== undefined) {
      last.nodePort = numberOf((value.split(/[ \t]+/).at(-1) ?? '').split('/')[0] ?? '');
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

/** `key: value` since 1.10, `key=value` before. */
function annotationsOf(fields: readonly Field[]): Readonly<Record<string, string>> | undefined {
  const entries: (readonly [string, string])[] = [];
  for (const line of fields.find(({ key }) => key === 'Annotations')?.values ?? []) {
    const [, key, value] = /^([\w./-]+)(?:=|: ?)(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) entries.push([key, value]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function shown(text: string | undefined): string | undefined {
  const value = text?.trim();
  return value === undefined || value === '' || /^<(?:none|unset)>$/.test(value) ? undefined : value;
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function numberOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function withoutUnset(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
