import { parseCidr } from '../common/addresses/cidr.ts';
import { canonicalIp, familyOf } from '../common/addresses/ip.ts';
import { addTo } from '../common/addTo.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { PortOfService } from '../model/service.ts';
import type { LoadBalancerIngress, SourceRange } from '../model/servicePort.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { ServiceObject } from '../validate/kinds/manifests.ts';
import { hidesSelector } from '../validate/shown/shownInPart.ts';
import { type Allocation, allocate } from './assumed/allocate.ts';
import { type HidingLabels, labelThatHides } from './hidingLabels.ts';
import type { ResolvedService } from './resolvedService.ts';
import type { ResolveMemory } from './resolveMemory.ts';
import type { TargetOptions } from './targetOptions.ts';

const defaultAffinitySeconds = 10800;

/**
 * Applies the API server's defaults, allocates what is missing, and leaves out Services that get no rules: headless
 * ones, ExternalName, those that another proxy serves. One note names each kind that was left out.
 */
export function resolveServices(
  services: readonly Manifest<ServiceObject>[],
  options: TargetOptions,
  hiding: HidingLabels,
  report: Report,
  memory?: ResolveMemory,
): readonly ResolvedService[] {
  const known = memory?.services(hiding).pass();
  const earlier = services.map((service) => known?.get(service));
  // What a dump shows is added to each Service every time.
  const isWhole = options.seen === undefined;
  const fresh = isWhole ? services.filter((_, at) => earlier[at] === undefined) : services;
  const candidates = new Set(fresh.filter((service) => reasonWithoutRules(service.value, hiding) === undefined));
  reportLeftOut(fresh, hiding, report);
  const allocations = allocate([...candidates], services, options, report);
  const resolved: ResolvedService[] = [];
  for (const [at, service] of services.entries()) {
    const same = earlier[at];
    if (same !== undefined && isWhole) {
      resolved.push(same);
      continue;
    }
    if (!candidates.has(service)) continue;
    const allocation = allocations.get(service);
    const made = (allocation === undefined ? same : undefined) ?? resolveService(service, allocation);
    if (allocation === undefined && made.clusterIPs.length > 0) known?.set(service, made);
    const one = withSeenIngress(made, options.seen);
    if (one.clusterIPs.length > 0) resolved.push(one);
    else if (options.seen !== undefined && options.allocates !== false) reportNotSeen(service, report);
    else {
      report({
        code: 'no-cluster-ip',
        severity: 'warning',
        message: `Service ${one.namespace}/${one.name} has no cluster IP and gets no rules`,
        at: [{ ...service.origin, path: [...service.origin.path, 'spec', 'clusterIP'] }],
        hint: 'kube-proxy skips such a Service; without --no-allocate one is chosen',
      });
    }
  }
  return resolved;
}

/** Manifests from a repository have no status: addresses of load balancers come from the node's rules. */
function withSeenIngress(service: ResolvedService, seen: TargetOptions['seen']): ResolvedService {
  const shown = seen?.get(`${service.namespace}/${service.name}`);
  if (shown === undefined || service.type !== 'LoadBalancer' || service.ingress.length > 0) return service;
  const external = new Set(service.externalIPs.map(({ ip }) => ip));
  const ips = new Set([...shown.loadBalancerIPs, ...[...shown.externalIPs].filter((ip) => !external.has(ip))]);
  const ingress = [...ips].map((ip) => ({ ip, written: ip, ipMode: 'VIP' as const }));
  return { ...service, ingress };
}

/** Whether that is a fault depends on how much of the node was shown. */
function reportNotSeen(service: Manifest<ServiceObject>, report: Report): void {
  const { namespace = 'default', name } = service.value.metadata;
  report({
    code: 'service-not-in-dump',
    severity: 'note',
    message: `no rule names ${namespace}/${name}`,
    at: [service.origin],
    services: [`${namespace}/${name}`],
  });
}

/** Why a Service gets no rules; undefined if it does. */
export function reasonWithoutRules(service: ServiceObject, hiding: HidingLabels): string | undefined {
  if (labelThatHides(service, hiding.services) !== undefined) return 'label leaves it to another proxy';
  if (service.spec.type === 'ExternalName') return 'ExternalName is a DNS alias';
  if (service.spec.clusterIP === 'None' || service.spec.clusterIPs?.[0] === 'None')
    return 'headless, DNS names the Pods';
  return undefined;
}

/** The Services that get no rules, by `namespace/name`, and why: `headless, DNS names the Pods`. */
export function servicesWithoutRules(
  services: readonly Manifest<ServiceObject>[],
  hiding: HidingLabels,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { value } of services) {
    const reason = reasonWithoutRules(value, hiding);
    if (reason !== undefined) found.set(nameOf(value.metadata), reason);
  }
  return found;
}

function reportLeftOut(services: readonly Manifest<ServiceObject>[], hiding: HidingLabels, report: Report): void {
  const groups = new Map<string, Manifest<ServiceObject>[]>();
  for (const service of services) {
    const reason = reasonWithoutRules(service.value, hiding);
    if (reason === undefined) continue;
    addTo(groups, reason, service);
  }
  for (const [reason, group] of groups) {
    const names = group.map(({ value }) => nameOf(value.metadata));
    report({
      code: 'service-without-rules',
      severity: 'note',
      message: `no rules for Service${names.length > 1 ? 's' : ''} ${firstFew(names, 5)} (${reason})`,
      at: group.slice(0, 1).map((service) => service.origin),
    });
  }
}

/** One Service with the API server's defaults and what was allocated for it. */
export function resolveService(service: Manifest<ServiceObject>, allocation: Allocation | undefined): ResolvedService {
  const { metadata, spec, status } = service.value;
  const type = spec.type === 'NodePort' || spec.type === 'LoadBalancer' ? spec.type : 'ClusterIP';
  const isAccessible = type !== 'ClusterIP' || (spec.externalIPs ?? []).length > 0;
  const isExternalPolicyLocal = isAccessible && spec.externalTrafficPolicy === 'Local';
  const hasHealthCheck = type === 'LoadBalancer' && isExternalPolicyLocal;
  return {
    namespace: metadata.namespace ?? 'default',
    name: metadata.name,
    origin: service.origin,
    type,
    clusterIPs: clusterIPs(service.value, allocation),
    ports: (spec.ports ?? []).map(
      (port, index): PortOfService => ({
        name: port.name ?? '',
        protocol: port.protocol ?? 'TCP',
        port: port.port,
        targetPort:
          port.targetPort === undefined || port.targetPort === null || port.targetPort === 0 || port.targetPort === ''
            ? port.port
            : port.targetPort,
        nodePort: port.nodePort || (allocation?.nodePorts[index] ?? 0),
      }),
    ),
    externalIPs: externalIPs(spec.externalIPs ?? []),
    ingress: ingress(status?.loadBalancer?.ingress ?? []),
    sourceRanges: parseRanges(spec.loadBalancerSourceRanges ?? []),
    affinitySeconds:
      spec.sessionAffinity === 'ClientIP'
        ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds)
        : undefined,
    isExternalPolicyLocal,
    isInternalPolicyLocal: spec.internalTrafficPolicy === 'Local',
    healthCheckNodePort: hasHealthCheck ? spec.healthCheckNodePort || (allocation?.healthCheckNodePort ?? 0) : 0,
    publishesNotReady: spec.publishNotReadyAddresses === true,
    selector: spec.selector ?? {},
    hidesSelector: hidesSelector(service),
    annotations: metadata.annotations ?? {},
  };
}

function externalIPs(texts: readonly string[]): ResolvedService['externalIPs'] {
  const found: { ip: string; written: string }[] = [];
  for (const written of texts) {
    const ip = canonicalIp(written);
    if (ip !== undefined) found.push({ ip, written });
  }
  return found;
}

function clusterIPs(service: ServiceObject, allocation: Allocation | undefined): ResolvedService['clusterIPs'] {
  const { clusterIPs, clusterIP } = service.spec;
  const given = clusterIPs && clusterIPs.length > 0 ? clusterIPs : clusterIP ? [clusterIP] : [];
  const found: { family: 'ipv4' | 'ipv6'; ip: string }[] = [];
  for (const text of [...given, ...(allocation?.clusterIPs ?? [])]) {
    const ip = canonicalIp(text);
    const family = ip === undefined ? undefined : familyOf(ip);
    if (ip !== undefined && family !== undefined && !found.some((other) => other.family === family)) {
      found.push({ family, ip });
    }
  }
  return found;
}

/** Entries without an IP (hostnames) mean nothing to a packet filter; an IP without a mode is a virtual IP (1.29). */
function ingress(
  entries: readonly { readonly ip?: string | null | undefined; readonly ipMode?: 'VIP' | 'Proxy' | null | undefined }[],
): readonly LoadBalancerIngress[] {
  const found: LoadBalancerIngress[] = [];
  for (const entry of entries) {
    const ip = entry.ip ? canonicalIp(entry.ip) : undefined;
    if (ip !== undefined) found.push({ ip, written: entry.ip ?? ip, ipMode: entry.ipMode ?? 'VIP' });
  }
  return found;
}

/** Trimmed and parsed; kube-proxy ignores invalid CIDRs. */
export function parseRanges(texts: readonly string[]): readonly SourceRange[] {
  const ranges: SourceRange[] = [];
  for (const text of texts) {
    const written = text.trim();
    const network = parseCidr(written)?.text;
    if (network !== undefined) ranges.push({ written, network, isPadded: written !== text });
  }
  return ranges;
}
