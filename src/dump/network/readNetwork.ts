import type { NetworkFacts, NetworkInterface, NetworkRoute } from '../../node/networkFacts.ts';
import type { BridgePort } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';
import { readFacts } from './readFacts.ts';
import { readInterfaces } from './readInterfaces.ts';
import { readModules } from './readModules.ts';
import { readRecent } from './readRecent.ts';
import { readRouteTables } from './readRouteTables.ts';
import { readSysctls } from './readSysctls.ts';

/** A text of a kind that says something about the network. */
export interface NetworkPart {
  readonly kind: 'addresses' | 'routes' | 'sysctl' | 'rules' | 'facts' | 'recent' | 'modules';
  readonly file: DumpFile;
}

/** Combines the tools' output with a facts file; where both describe one thing, the tools' output counts. */
export function readNetwork(parts: readonly NetworkPart[], ports: readonly BridgePort[]): NetworkFacts {
  const texts = (kind: NetworkPart['kind']) => parts.filter((part) => part.kind === kind).map(({ file }) => file.text);
  const told = texts('facts').map(readFacts);
  const interfaces = texts('addresses').flatMap(readInterfaces);
  const routes = withWholeNames(texts('routes').flatMap(readRouteTables), interfaces);
  const rules = texts('rules').flatMap(readRules);
  const sysctls = texts('sysctl').map(readSysctls);
  const modules = texts('modules').map(readModules);
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
    ...(isPiece(interfaces) && { hasOtherInterfaces: true }),
    routes: [
      ...routes,
      ...told.flatMap((facts) => facts.routes).filter(({ family }) => !routes.some((route) => route.family === family)),
    ],
    rules: rules.length > 0 ? rules : told.flatMap((facts) => facts.rules),
    sysctls: new Map([...told.flatMap((facts) => [...facts.sysctls]), ...sysctls.flatMap(({ values }) => values)]),
    missingSysctls: new Set(sysctls.flatMap(({ missing }) => missing)),
    ...(modules.length > 0 && {
      modules: {
        names: new Set(modules.flatMap(({ names }) => [...names])),
        isWhole: modules.some(({ isWhole }) => isWhole),
      },
    }),
    pods: told.flatMap((facts) => facts.pods),
    hosts: told.flatMap((facts) => facts.hosts),
    seen: parts.filter(({ kind }) => kind === 'recent').flatMap(({ file }) => readRecent(file)),
  };
}

/** Every network namespace has lo. */
function isPiece(shown: readonly NetworkInterface[]): boolean {
  return shown.length > 0 && !shown.some(({ name }) => name === 'lo');
}

/** `route -n` cuts the names of interfaces: `eth0.1` is eth0.100 if no other interface fits. */
function withWholeNames(
  routes: readonly NetworkRoute[],
  interfaces: readonly NetworkInterface[],
): readonly NetworkRoute[] {
  const names = new Set(interfaces.map(({ name }) => name));
  return routes.map((route) => {
    const { device } = route;
    if (device?.length !== shortestCut || names.has(device)) return route;
    const whole = [...names].filter((name) => name.startsWith(device));
    return whole.length === 1 ? { ...route, device: whole[0] as string } : route;
  });
}

/** How many letters of a name net-tools print. */
const shortestCut = 6;

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
