import type { NetworkFacts, NetworkInterface } from '../../node/networkFacts.ts';
import type { BridgePort } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';
import { readFacts } from './readFacts.ts';
import { readInterfaces } from './readInterfaces.ts';
import { readRecent } from './readRecent.ts';
import { readRouteTables } from './readRouteTables.ts';

/** A text of a kind that says something of the network. */
export interface NetworkPart {
  readonly kind: 'addresses' | 'routes' | 'sysctl' | 'rules' | 'facts' | 'recent';
  readonly file: DumpFile;
}

/** Brings together what the tools show and what a facts file says; where both speak of one thing, the tools count. */
export function readNetwork(parts: readonly NetworkPart[], ports: readonly BridgePort[]): NetworkFacts {
  const texts = (kind: NetworkPart['kind']) => parts.filter((part) => part.kind === kind).map(({ file }) => file.text);
  const told = texts('facts').map(readFacts);
  const interfaces = texts('addresses').flatMap(readInterfaces);
  const routes = texts('routes').flatMap(readRouteTables);
  const rules = texts('rules').flatMap(readRules);
  const node = told.find((facts) => facts.node !== undefined)?.node;
  return {
    ...(node !== undefined && { node }),
    interfaces: withPorts(
      mergedInterfaces(
        interfaces,
        told.flatMap((facts) => facts.interfaces),
      ),
      ports,
    ),
    routes: [
      ...routes,
      ...told.flatMap((facts) => facts.routes).filter(({ family }) => !routes.some((route) => route.family === family)),
    ],
    rules: rules.length > 0 ? rules : told.flatMap((facts) => facts.rules),
    sysctls: new Map([...told.flatMap((facts) => [...facts.sysctls]), ...texts('sysctl').flatMap(readSysctls)]),
    pods: told.flatMap((facts) => facts.pods),
    hosts: told.flatMap((facts) => facts.hosts),
    seen: parts.filter(({ kind }) => kind === 'recent').flatMap(({ file }) => readRecent(file)),
  };
}

/** `net.ipv4.ip_forward = 1`. */
function readSysctls(text: string): (readonly [string, number])[] {
  return text.split('\n').flatMap((line): (readonly [string, number])[] => {
    const [, name, value] = /^\s*(net[./]\S+)\s*=\s*(-?\d+)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.includes('/') ? name.replaceAll('/', '.') : name, Number(value)]];
  });
}

/** `32766: from all lookup main`. */
function readRules(text: string): NetworkFacts['rules'] {
  return text.split('\n').flatMap((line) => {
    const [, priority, rest] = /^\s*(\d+):\s+(.*\S)\s*$/.exec(line) ?? [];
    if (rest === undefined) return [];
    const family = /[0-9a-f]:[0-9a-f:]/.test(rest) ? 'ipv6' : /\d+\.\d+\.\d/.test(rest) ? 'ipv4' : undefined;
    return [{ family, priority: Number(priority), words: rest.split(/\s+/) } as const];
  });
}

function mergedInterfaces(
  shown: readonly NetworkInterface[],
  told: readonly NetworkInterface[],
): readonly NetworkInterface[] {
  if (shown.length === 0) return told;
  const toldByName = new Map(told.map((one) => [one.name, one]));
  return shown.map((one) => ({ ...toldByName.get(one.name), ...one }));
}

function withPorts(interfaces: readonly NetworkInterface[], ports: readonly BridgePort[]): readonly NetworkInterface[] {
  if (ports.length === 0) return interfaces;
  const byName = new Map(ports.map((port) => [port.name, port]));
  const bridges = new Set(ports.map(({ bridge }) => bridge));
  const known = new Set(interfaces.map(({ name }) => name));
  const all: readonly NetworkInterface[] = [
    ...interfaces,
    ...ports.filter(({ name }) => !known.has(name)).map(({ name }) => ({ name, addresses: [] })),
  ];
  return all.map((one): NetworkInterface => {
    const port = byName.get(one.name);
    const { isHairpin: _, ...rest } = one;
    return {
      ...(port === undefined
        ? one
        : { ...rest, master: port.bridge, ...(port.isHairpin && { isHairpin: true as const }) }),
      ...(bridges.has(one.name) && { isBridge: true as const }),
    };
  });
}
