import { cidrContains, cidrsOverlap, isWithin, parseCidr } from '../common/addresses/cidr.ts';
import type { Family } from '../common/addresses/family.ts';
import { hostCidr } from '../common/addresses/hostCidr.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { loopbackRange, wholeRange } from '../common/addresses/wholeRange.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Model } from '../model/model.ts';
import type { ClusterMasquerade, LocalDetector, NodePlan, NodePortAddresses } from './plan.ts';

/** Decides what concerns the whole node in one family. */
export function planNode(model: Model, family: Family, dialect: PlanDialect): Omit<NodePlan, 'isLargeCluster'> {
  const { config, node } = model;
  const { opensLocalhost, settingsIn } = modeFacts[config.mode];
  const masquerade = config[settingsIn];
  const addresses = node.addresses.filter((address) => familyOf(address) === family);
  const detector = localDetector(model, family, dialect);
  const nodePorts = nodePortAddresses(model, family, addresses, dialect);
  const opensLoopback = nodePorts.kind === 'anyLocal' || coversLoopback(config.nodePortAddresses);
  const usesLocalhostNodePorts =
    opensLocalhost &&
    family === 'ipv4' &&
    opensLoopback &&
    (config.iptables.localhostNodePorts || !dialect.honoursLocalhostNodePorts);
  return {
    family,
    nodeIP: node.ip[family],
    mark: (1 << masquerade.masqueradeBit) >>> 0,
    localDetector: detector,
    clusterMasquerade: clusterMasquerade(masquerade.masqueradeAll, detector, dialect),
    nodePorts,
    usesLocalhostNodePorts,
    namesLoopback: namesLoopback(config.nodePortAddresses, family),
    excludesLoopbackNodePorts: dialect.honoursLocalhostNodePorts && !usesLocalhostNodePorts,
    dropsInvalid:
      dialect.invalidDrop === 'yes' || (dialect.invalidDrop === 'unlessLiberal' && !config.conntrack.tcpBeLiberal),
    serviceCIDRs: model.serviceCIDRs.filter((cidr) => parseCidr(cidr)?.family === family),
    addresses,
    ...(node.unnamedNodePorts?.has(family) && { hasUnnamedNodePorts: true }),
  };
}

/** Which traffic to a cluster IP gets the node's address, to make replies come back through this node. */
function clusterMasquerade(
  masqueradeAll: boolean,
  detector: LocalDetector | undefined,
  dialect: PlanDialect,
): ClusterMasquerade {
  if (masqueradeAll) return { masquerade: 'always', why: 'masqueradeAll' };
  if (!dialect.masqueradesOffCluster) return { masquerade: 'never', why: 'version' };
  if (detector === undefined) return { masquerade: 'never', why: 'noLocalDetector' };
  return { masquerade: 'offCluster', why: 'localDetector' };
}

function localDetector(model: Model, family: Family, dialect: PlanDialect): LocalDetector | undefined {
  const { localDetectors } = dialect;
  const { detectLocal, clusterCIDRs } = model.config;
  if (localDetectors === 'clusterCIDR') return cidrDetector(clusterCIDRs, family, dialect);
  const usesInterfaces = localDetectors === 'all';
  switch (detectLocal.kind) {
    case 'clusterCIDR':
      return cidrDetector(clusterCIDRs, family, dialect);
    case 'nodeCIDR':
      return cidrDetector(model.node.podCIDRs, family, dialect);
    case 'bridgeInterface':
      return usesInterfaces ? { kind: 'bridge', name: detectLocal.name } : undefined;
    case 'interfaceNamePrefix':
      return usesInterfaces ? { kind: 'prefix', prefix: detectLocal.prefix } : undefined;
  }
}

function cidrDetector(
  cidrs: readonly string[],
  family: Family,
  { masksPodRange }: PlanDialect,
): LocalDetector | undefined {
  const written = cidrs.find((candidate) => parseCidr(candidate)?.family === family);
  if (written === undefined) return undefined;
  return { kind: 'cidr', cidr: (masksPodRange && parseCidr(written)?.text) || written };
}

/**
 * Where node ports are open. Without an entry for the family: on every local address; in nftables mode only on the
 * node's own IP (KEP-3866), and from 1.31 on everywhere again if the node has none of the family. A catch-all range means
 * "every address", others are matched with what the interfaces carry.
 */
function nodePortAddresses(
  model: Model,
  family: Family,
  addresses: readonly string[],
  dialect: PlanDialect,
): NodePortAddresses {
  const { config, node } = model;
  const all = dialect.honoursNodePortAddresses ? config.nodePortAddresses : [];
  if (dialect.nodePortWords !== 'none' && all.length === 1 && all[0] === 'primary')
    return primaryOrAny(node.ip[family]);
  const given = all
    .flatMap((text) => meantBy(text, node.ip[family], family))
    .filter((cidr) => parseCidr(cidr)?.family === family);
  if (given.length === 0) return defaultNodePorts(node.ip[family], all.length > 0, dialect);
  if (given.some((text) => isEveryAddress(text, dialect))) return { kind: 'anyLocal' };
  const cidrs = given.map(parseCidr).filter((cidr) => cidr !== undefined);
  const matching = addresses.filter((address) => cidrs.some((cidr) => cidrContains(cidr, address)));
  return { kind: 'addresses', addresses: [...new Set(matching)].sort() };
}

function isEveryAddress(cidr: string, { zeroNodePortRange }: PlanDialect): boolean {
  return cidr === '0.0.0.0/0' || cidr === '::/0' || (zeroNodePortRange === 'anySpelling' && /\/0+$/.test(cidr));
}

/** The networks of a word, since 1.37. */
function meantBy(text: string, nodeIP: string, family: Family): readonly string[] {
  switch (text) {
    case 'primary':
      return [hostCidr(nodeIP)];
    case 'localhost':
      return [loopbackRange(family)];
    case 'all':
      return [wholeRange(family)];
    default:
      return [text];
  }
}

/** `hasOther`: entries of the other family are given. */
function defaultNodePorts(nodeIP: string, hasOther: boolean, dialect: PlanDialect): NodePortAddresses {
  const own: NodePortAddresses = { kind: 'addresses', addresses: [nodeIP] };
  switch (dialect.defaultNodePorts) {
    case 'anyLocal':
      return { kind: 'anyLocal' };
    case 'nodeIP':
      return own;
    case 'nodeIPOrAny':
      return hasOther ? { kind: 'anyLocal' } : primaryOrAny(nodeIP);
  }
}

/** Loopback replaces an unknown node IP. */
function primaryOrAny(nodeIP: string): NodePortAddresses {
  const isKnown = nodeIP !== '127.0.0.1' && nodeIP !== '::1';
  return isKnown ? { kind: 'addresses', addresses: [nodeIP] } : { kind: 'anyLocal' };
}

function coversLoopback(nodePortAddresses: readonly string[]): boolean {
  const loopback = parseCidr('127.0.0.0/8');
  return nodePortAddresses.some((text) => {
    if (text === 'localhost' || text === 'all') return true;
    const cidr = parseCidr(text);
    return cidr !== undefined && loopback !== undefined && cidr.family === 'ipv4' && cidrsOverlap(cidr, loopback);
  });
}

function namesLoopback(nodePortAddresses: readonly string[], family: Family): boolean {
  const loopback = parseCidr(loopbackRange(family));
  return nodePortAddresses.some((text) => {
    if (text === 'localhost') return true;
    const cidr = parseCidr(text);
    return cidr !== undefined && loopback !== undefined && cidr.family === family && isWithin(cidr, loopback);
  });
}
