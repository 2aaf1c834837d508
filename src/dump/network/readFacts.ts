import { wholeRange } from '../../common/addresses/wholeRange.ts';
import {
  type NetworkFacts,
  type NetworkInterface,
  type NetworkPod,
  type NetworkRoute,
  noNetwork,
} from '../../node/networkFacts.ts';

/** Reads a k8snet.facts/v1 document. Missing or malformed parts are left out. */
export function readFacts(text: string): NetworkFacts {
  const facts = record(parsed(text));
  const node = string(facts.node);
  return {
    ...noNetwork,
    ...(node !== undefined && { node }),
    interfaces: list(facts.interfaces).flatMap(interfaceOf),
    routes: list(facts.routes).flatMap(routeOf),
    sysctls: new Map(
      Object.entries(record(facts.sysctls)).flatMap(([name, value]): [string, number][] =>
        Number.isInteger(Number(value)) && value !== '' ? [[name, Number(value)]] : [],
      ),
    ),
    pods: list(facts.pods).flatMap(podOf),
    hosts: list(facts.outside).flatMap((host) => {
      const name = string(record(host).name);
      return name === undefined ? [] : [{ name, ips: strings(record(host).ips) }];
    }),
  };
}

function interfaceOf(value: unknown): readonly NetworkInterface[] {
  const { name, kind, addresses, master, hairpin } = record(value);
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      addresses: strings(addresses).map((cidr) => ({ cidr })),
      ...(typeof master === 'string' && { master }),
      ...(kind === 'bridge' && { isBridge: true as const }),
      ...(hairpin === true && { isHairpin: true as const }),
    },
  ];
}

function routeOf(value: unknown): readonly NetworkRoute[] {
  const { family, type, dst, via, dev, src, table, metric } = record(value);
  if (typeof dst !== 'string') return [];
  const isV6 = family === 'ip6' || family === 'ipv6' || dst.includes(':');
  const host = isV6 ? 128 : 32;
  const whole = wholeRange(isV6 ? 'ipv6' : 'ipv4');
  return [
    {
      family: isV6 ? 'ipv6' : 'ipv4',
      type: string(type) ?? 'unicast',
      destination: dst === 'default' ? whole : dst.includes('/') ? dst : `${dst}/${host}`,
      ...(typeof via === 'string' && { via }),
      ...(typeof dev === 'string' && { device: dev }),
      ...(typeof src === 'string' && { source: src }),
      table: string(table) ?? 'main',
      metric: typeof metric === 'number' ? metric : 0,
    },
  ];
}

function podOf(value: unknown): readonly NetworkPod[] {
  const { name, ips, node, interface: device } = record(value);
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      ips: strings(ips),
      ...(typeof node === 'string' && { node }),
      ...(typeof device === 'string' && { interface: device }),
    },
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
