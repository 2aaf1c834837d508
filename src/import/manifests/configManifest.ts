import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { FeatureGates } from '../../dialect/gates/gateTable.ts';
import type { PlanDialect } from '../../dialect/plan/planDialect.ts';
import type { SeenSettings } from '../../seen/settings/seenSettings.ts';
import { type ImportedManifest, remarkBook } from './manifest.ts';

/** What else of the configuration follows from the node's addresses. */
export interface ConfigAddresses {
  readonly nodePortAddresses: readonly string[];
  /** Why an entry stands there that no rule shows; undefined: there is none. */
  readonly madeUp: string | undefined;
}

/** kube-proxy's configuration as far as rules show it: settings of both families are one. */
export function configManifest(
  mode: ProxyMode,
  settings: readonly SeenSettings[],
  { nodePortAddresses, madeUp }: ConfigAddresses,
  plan: PlanDialect,
  featureGates: FeatureGates,
): ImportedManifest {
  const remarks = remarkBook();
  const { opensLocalhost, settingsIn, usesIpvs } = modeFacts[mode];
  const bit = firstOf(settings, ({ mark }) => (mark === undefined ? undefined : 31 - Math.clz32(mark)));
  const all = firstOf(settings, ({ masqueradesAll }) => masqueradesAll);
  const isOff = settings.some(({ family, nodePorts }) => family === 'ipv4' && isWithoutLoopback(nodePorts));
  const masquerade = {
    ...(all !== undefined && { masqueradeAll: all }),
    ...(bit !== undefined && { masqueradeBit: bit }),
    ...(opensLocalhost && isOff && { localhostNodePorts: false }),
  };
  const scheduler = firstOf(settings, (one) => one.scheduler);
  const timeouts = firstOf(settings, (one) => one.timeouts);
  const ipvs = {
    ...(scheduler !== undefined && { scheduler }),
    ...(timeouts !== undefined && {
      tcpFinTimeout: `${timeouts.tcpFin}s`,
      tcpTimeout: `${timeouts.tcp}s`,
      udpTimeout: `${timeouts.udp}s`,
    }),
  };
  // Before 1.29 the rule that drops INVALID packets is there in any case, or in none.
  const isLiberal = plan.invalidDrop === 'unlessLiberal' && settings.some((one) => one.isLiberal);
  const value: ImportedManifest['value'] = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode,
    ...detectorFields(settings),
    ...(Object.keys(masquerade).length > 0 && { [settingsIn]: masquerade }),
    ...(usesIpvs && Object.keys(ipvs).length > 0 && { ipvs }),
    ...(nodePortAddresses.length > 0 && { nodePortAddresses }),
    ...(Object.keys(featureGates).length > 0 && { featureGates }),
    ...(isLiberal && { conntrack: { tcpBeLiberal: true } }),
  };
  if (value.clusterCIDR === undefined && value.detectLocalMode === undefined)
    remarks.add(value, 'clusterCIDR', 'no rule tells traffic of local Pods from other traffic');
  if (madeUp !== undefined) remarks.add(value, 'nodePortAddresses', madeUp);
  return { value, remarks: remarks.all };
}

function firstOf<T>(settings: readonly SeenSettings[], get: (one: SeenSettings) => T | undefined): T | undefined {
  return settings.map(get).find((value) => value !== undefined);
}

function isWithoutLoopback(nodePorts: SeenSettings['nodePorts']): boolean {
  return nodePorts?.kind === 'any' && nodePorts.excludesLoopback;
}

function detectorFields(settings: readonly SeenSettings[]): Record<string, unknown> {
  const detectors = settings.flatMap(({ detector }) => detector ?? []);
  const bridge = detectors.find(({ kind }) => kind === 'bridge');
  if (bridge?.kind === 'bridge')
    return { detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: bridge.name } };
  const prefix = detectors.find(({ kind }) => kind === 'prefix');
  if (prefix?.kind === 'prefix')
    return { detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: prefix.prefix } };
  const cidrs = detectors.flatMap((detector) => (detector.kind === 'cidr' ? detector.cidr : []));
  return cidrs.length === 0 ? {} : { clusterCIDR: [...new Set(cidrs)].join(',') };
}
