import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { isProxyService } from '../../netfilter/ipvs/isProxyService.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { marksIn } from './marksIn.ts';
import { nftSettings } from './nftSettings.ts';
import { nodePortEntrances } from './nodePortEntrances.ts';
import { seenMasquerade } from './seenMasquerade.ts';
import type { SeenDetector, SeenNodePorts } from './seenSettings.ts';

/**
 * Settings that a configuration would have given and a node shows; undefined: the node does not show it, or it has the
 * default.
 */
export interface ShownTarget {
  /** Of all virtual servers in IPVS mode. */
  readonly scheduler?: string;
  /** Of all rules that set or test the mark. */
  readonly masqueradeBit?: number;
  readonly masqueradesAll?: true;
  /** How Pods are recognized, if not by their range. */
  readonly detector?: Exclude<SeenDetector, { readonly kind: 'cidr' }>;
  /** In iptables mode: node ports do not answer on loopback. */
  readonly localhostNodePorts?: false;
  /** In iptables mode: the only addresses on which node ports are open. */
  readonly nodePortIPs?: readonly string[];
  /** In nftables mode: where node ports are open, by family. */
  readonly nodePorts?: ReadonlyMap<Family, SeenNodePorts>;
  /** In nftables mode: ranges of cluster IPs. */
  readonly serviceCIDRs?: readonly string[];
}

/**
 * A setting shows in everything that depends on it: if only a part differs, somebody changed that part. A missing rule
 * alone does not count as a setting here, since the rule may have been lost.
 */
export function shownTarget({ iptables, nft, ipvs }: NodeRules, mode: ProxyMode): ShownTarget {
  const { rulesIn, usesIpvs, opensLocalhost, dropsUnallocated } = modeFacts[mode];
  const rules = rulesIn === 'nftables' ? nft : iptables;
  const scheduler = usesIpvs ? only(ipvs.flatMap(schedulersIn)) : undefined;
  const mark = only(rules.flatMap(marksIn));
  const bit = mark !== undefined && mark > 0 ? Math.log2(mark) : undefined;
  const seen = rules.map(seenMasquerade);
  const entrances = opensLocalhost ? iptables.map(nodePortEntrances) : [];
  const nodePortIPs = entrances.flatMap(({ addresses }) => addresses);
  const serviceCIDRs = dropsUnallocated ? nft.flatMap((one) => nftSettings(one).serviceCIDRs ?? []) : [];
  const detector = agreed(seen.flatMap((one) => one.detector ?? []));
  return {
    ...(scheduler !== undefined && scheduler !== 'rr' && { scheduler }),
    ...(bit !== undefined && bit !== 14 && Number.isInteger(bit) && { masqueradeBit: bit }),
    ...(only(seen.flatMap(({ masqueradesAll }) => masqueradesAll ?? [])) && { masqueradesAll: true }),
    ...(detector && { detector }),
    ...(entrances.some(({ excludesLoopback }) => excludesLoopback) && { localhostNodePorts: false }),
    ...(nodePortIPs.length > 0 && { nodePortIPs }),
    ...(rulesIn === 'nftables' && { nodePorts: new Map(nft.flatMap(nftNodePorts)) }),
    ...(serviceCIDRs.length > 0 && { serviceCIDRs }),
  };
}

function nftNodePorts(rules: ToolRules): readonly (readonly [Family, SeenNodePorts])[] {
  const { nodePorts } = nftSettings(rules);
  return nodePorts === undefined ? [] : [[rules.family, nodePorts]];
}

/** The interfaces of Pods, if both families recognize Pods by the same ones. */
function agreed(detectors: readonly SeenDetector[]): ShownTarget['detector'] {
  const [first] = detectors;
  const isSame = (one: SeenDetector) =>
    one.kind !== 'cidr' && first?.kind === one.kind && nameOf(one) === nameOf(first);
  return first !== undefined && first.kind !== 'cidr' && detectors.every(isSame) ? first : undefined;
}

function nameOf(detector: NonNullable<ShownTarget['detector']>): string {
  return detector.kind === 'bridge' ? detector.name : detector.prefix;
}

function only<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

function schedulersIn({ tables }: ToolRules): readonly string[] {
  return [...(tables.get('ipvs')?.chains.values() ?? [])].flatMap(({ content }) =>
    content?.kind === 'virtualServer' && isProxyService(content.service) && content.service.isCounted !== true
      ? content.service.scheduler
      : [],
  );
}
