import { parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { ipvsSchedulers } from '../../common/proxy/ipvsSchedulers.ts';
import type { SeenAddress, SeenPort } from '../ports/seenPort.ts';
import type { SeenSettings } from '../settings/seenSettings.ts';
import type { ModeReading } from './readMode.ts';

/** A reading without impossible values: edited rules may have malformed addresses, and ports above 65535. */
export interface SoundReading extends ModeReading {
  /** Values that were left out. */
  readonly unsound: readonly string[];
}

export function soundReading(reading: ModeReading): SoundReading {
  const unsound: string[] = [];
  const ports = reading.ports.map((port) => soundPort(port, unsound));
  const settings = reading.settings.map((one) => soundSettings(one, unsound));
  return { ...reading, ports, settings, unsound };
}

/** The port itself if nothing is wrong with it. */
function soundPort(port: SeenPort, unsound: string[]): SeenPort {
  const changes: { -readonly [K in keyof SeenPort]?: SeenPort[K] } = {};
  const refuse = (value: unknown) => unsound.push(`${value} of ${port.service}`);
  if (port.clusterIP !== undefined && !isIp(port.clusterIP, port.family)) {
    refuse(port.clusterIP);
    changes.clusterIP = undefined;
  }
  for (const field of ['port', 'nodePort', 'healthCheckNodePort'] as const) {
    const value = port[field];
    if (value === undefined || isPort(value)) continue;
    refuse(value);
    changes[field] = undefined;
  }
  for (const field of ['externalIPs', 'loadBalancerIPs', 'eitherIPs'] as const) {
    const bad = port[field].filter((ip) => !isIp(ip, port.family));
    if (bad.length === 0) continue;
    for (const ip of bad) refuse(ip);
    changes[field] = port[field].filter((ip) => !bad.includes(ip));
  }
  for (const field of ['cluster', 'local', 'idle'] as const) {
    const bad = port[field]?.filter((address) => !isEndpoint(address, port.family)) ?? [];
    if (bad.length === 0) continue;
    for (const { ip, port: number } of bad) refuse(`${ip}:${number}`);
    changes[field] = (port[field] ?? []).filter((address) => !bad.includes(address));
  }
  const badRanges = port.sources?.ranges.filter((range) => !isRange(range, port.family)) ?? [];
  if (port.sources !== undefined && badRanges.length > 0) {
    for (const range of badRanges) refuse(range);
    const ranges = port.sources.ranges.filter((range) => !badRanges.includes(range));
    changes.sources = ranges.length === 0 ? undefined : { ...port.sources, ranges };
  }
  return Object.keys(changes).length === 0 ? port : { ...port, ...changes };
}

function soundSettings(settings: SeenSettings, unsound: string[]): SeenSettings {
  const { family, mark, detector, nodePorts, scheduler } = settings;
  const changes: { -readonly [K in keyof SeenSettings]?: SeenSettings[K] } = {};
  if (mark !== undefined && !isBit(mark)) {
    unsound.push(`mark ${mark}`);
    changes.mark = undefined;
  }
  if (detector !== undefined && !isDetector(detector, family)) {
    unsound.push('what tells traffic of Pods');
    changes.detector = undefined;
  }
  if (nodePorts?.kind === 'addresses' && !nodePorts.addresses.every((ip) => isIp(ip, family))) {
    unsound.push('addresses of node ports');
    changes.nodePorts = { kind: 'addresses', addresses: nodePorts.addresses.filter((ip) => isIp(ip, family)) };
  }
  if (scheduler !== undefined && !ipvsSchedulers.includes(scheduler)) {
    unsound.push(`scheduler ${scheduler}`);
    changes.scheduler = undefined;
  }
  return Object.keys(changes).length === 0 ? settings : { ...settings, ...changes };
}

function isIp(text: string, family: Family): boolean {
  return canonicalIp(text) === text && familyOf(text) === family;
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 65_536;
}

function isEndpoint({ ip, port }: SeenAddress, family: Family): boolean {
  return familyOf(ip) === family && isPort(port);
}

function isRange(text: string, family: Family): boolean {
  return text.includes('/') ? parseCidr(text)?.family === family : isIp(text, family);
}

/** kube-proxy's mark is one bit. */
function isBit(mark: number): boolean {
  return mark > 0 && (mark & (mark - 1)) === 0;
}

function isDetector(detector: NonNullable<SeenSettings['detector']>, family: Family): boolean {
  if (detector.kind === 'cidr') return parseCidr(detector.cidr)?.family === family;
  const name = detector.kind === 'bridge' ? detector.name : detector.prefix;
  return /^[^\s/\p{Cc}]{1,15}$/u.test(name);
}
