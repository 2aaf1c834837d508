import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, isLoopbackIp } from '../../common/addresses/ip.ts';
import { ipPort } from '../../common/addresses/ipPort.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import type { PlanDialect } from '../../dialect/plan/planDialect.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { ModeReading } from '../modes/readMode.ts';
import { hidesZero } from '../ports/hidesZero.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import type { SeenSettings } from '../settings/seenSettings.ts';

/**
 * Of the versions that may have written the rules, those that can produce what the Service ports show; all, if none
 * can.
 */
export function versionsOf(
  { ports, settings }: ModeReading,
  mode: ProxyMode,
  nodeIPs: Readonly<Record<Family, string | undefined>>,
  candidates: readonly KubeVersion[],
): readonly KubeVersion[] {
  const plans = candidates.map((version) => dialectOf(mode, version).plan);
  // What all of them decide alike needs no check.
  const tells = ({ allows }: Pick<Decision, 'allows'>) => new Set(plans.map(allows)).size > 1;
  const tests = [
    ...decisions.filter((one) => tells(one) && ports.some((port) => one.isSeen(port, nodeIPs[port.family]))),
    ...(modeFacts[mode].opensLocalhost
      ? loopbackDecisions.filter((one) => tells(one) && settings.some(one.isShown))
      : []),
  ];
  const onLoopback = modeFacts[mode].usesIpvs && settings.some(({ nodePorts }) => isOnLoopback(nodePorts));
  if (tests.length === 0 && !onLoopback) return candidates;
  const left = candidates.filter((version, at) => {
    if (onLoopback && !dialectOf('ipvs', version).spelling.opensLoopbackNodePorts) return false;
    return tests.every(({ allows }) => allows(plans[at] as PlanDialect));
  });
  return left.length === 0 ? candidates : left;
}

/**
 * Node ports on every address: since 1.26 except loopback addresses of IPv6, and of IPv4 if they are switched off
 * there.
 */
const loopbackDecisions: readonly {
  readonly isShown: (settings: SeenSettings) => boolean;
  readonly allows: Decision['allows'];
}[] = [
  {
    isShown: ({ nodePorts }) => nodePorts?.kind === 'any' && nodePorts.excludesLoopback,
    allows: (plan) => plan.honoursLocalhostNodePorts,
  },
  {
    isShown: ({ family, nodePorts }) => family === 'ipv6' && nodePorts?.kind === 'any' && !nodePorts.excludesLoopback,
    allows: (plan) => !plan.honoursLocalhostNodePorts,
  },
];

function isOnLoopback(nodePorts: SeenSettings['nodePorts']): boolean {
  return nodePorts?.kind === 'addresses' && nodePorts.addresses.some(isLoopbackIp);
}

/** Facts that a Service port can show, and which versions produce them. */
interface Decision {
  readonly isSeen: (port: SeenPort, nodeIP: string | undefined) => boolean;
  readonly allows: (plan: PlanDialect) => boolean;
}

const decisions: readonly Decision[] = [
  { isSeen: hasZeroRange, allows: (plan) => !plan.opensByZeroRange },
  { isSeen: hasWrittenAddress, allows: (plan) => plan.endpointIP === 'asWritten' },
  { isSeen: isUnsorted, allows: (plan) => plan.endpointOrder === 'given' },
  { isSeen: isLocalApart, allows: (plan) => plan.usesTerminating || plan.hints !== 'off' },
  {
    isSeen: ({ externalPolicy, externalIPPolicy }) => externalPolicy === 'Local' && externalIPPolicy === 'Cluster',
    allows: (plan) => !plan.externalIPHonoursLocal,
  },
  { isSeen: ({ fallsBack }) => fallsBack === true, allows: (plan) => plan.fallsBackToCluster },
  { isSeen: ({ fallsBack }) => fallsBack === false, allows: (plan) => !plan.fallsBackToCluster },
  {
    isSeen: ({ externalIPPolicy }) => externalIPPolicy === 'Local',
    allows: (plan) => plan.externalIPHonoursLocal,
  },
];

function hasZeroRange({ sources, family }: SeenPort, nodeIP: string | undefined): boolean {
  if (sources === undefined) return false;
  return sources.ranges.some((range) => range.endsWith('/0')) || hidesZero(sources, nodeIP, family);
}

function hasWrittenAddress({ cluster = [], local = [], family }: SeenPort): boolean {
  return family === 'ipv6' && [...cluster, ...local].some(({ ip }) => canonicalIp(ip) !== ip);
}

/** In IPVS mode the kernel decides the order of servers. */
function isUnsorted({ cluster = [], isNameless }: SeenPort): boolean {
  if (isNameless) return false;
  const texts = cluster.map(({ ip, port }) => ipPort(ip, port));
  return texts.some((text, at) => at > 0 && (texts[at - 1] as string) > text);
}

function isLocalApart({ cluster, local }: SeenPort): boolean {
  if (cluster === undefined || local === undefined || local.length === 0 || cluster.length === 0) return false;
  const shared = new Set(cluster.map(({ ip, port }) => ipPort(ip, port)));
  return local.some(({ ip, port }) => !shared.has(ipPort(ip, port)));
}
