import type { Family } from '../../common/addresses/family.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { nodePortSets } from './answeringAddresses.ts';
import { ipvsFacts } from './ipvsFacts.ts';

/**
 * Node ports answer on the node, and no virtual server shows at which addresses: sets hold the numbers alone. Rules for a set
 * of node ports are written once it has a member.
 */
export function showsNodePorts(node: NodeRules, family: Family): boolean {
  const { hasServers, members } = ipvsFacts(node, family);
  if (hasServers) return false;
  if (nodePortSets.some(([, set]) => members(set).length > 0)) return true;
  const nat = node.iptables.filter((rules) => rules.family === family).flatMap(({ tables }) => tables.get('nat') ?? []);
  return nat.some(({ chains }) => linesOf(chains.get('KUBE-NODE-PORT')).length > 0);
}
