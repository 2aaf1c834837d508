import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { proxySeen } from '../../../seen/proxySeen.ts';

interface Compared {
  readonly dump: NodeRules;
  readonly told: string | undefined;
  readonly nodes: ReadonlySet<string>;
  /** Those of the manifests, as namespace/name. */
  readonly services: readonly string[];
}

/** Reports it: findings for a thousand missing Services would say the same in more words. */
export function isOfOtherCluster({ dump, told, nodes, services }: Compared, report: Report): boolean {
  const name = dump.network.node?.toLowerCase();
  const refuse = (message: string) =>
    report({ code: 'other-cluster', severity: 'error', message, at: [], hint: otherClusterHint });
  if (nodes.size > 0 && name !== undefined && !nodes.has(name)) {
    refuse(`it is of node ${name}, as its facts say, and the manifests do not have that node`);
    return true;
  }
  if (nodes.size > 0 && told !== undefined && !nodes.has(told)) {
    refuse(`it is of node ${told}, by --node-name, and the manifests do not have that node`);
    return true;
  }
  const given = new Set(services.filter(isOwn));
  const seen = [...proxySeen(dump).names].filter(isOwn);
  if (given.size === 0 || seen.length === 0 || seen.some((service) => given.has(service))) return false;
  refuse(
    `it has rules of ${seen.slice(0, 3).join(', ')}${seen.length > 3 ? ', …' : ''} and none of the Services in the manifests`,
  );
  return true;
}

const otherClusterHint = 'leave it out, or give manifests of its cluster, read at the time of the dump';

/** What every cluster has means nothing. */
function isOwn(service: string): boolean {
  return service !== 'default/kubernetes' && !service.startsWith('kube-system/');
}
