import { parseCidr } from '../../common/addresses/cidr.ts';
import type { Model } from '../../model/model.ts';

/**
 * With detectLocalMode NodeCIDR, rules tell Pods by the range of their Node. kube-proxy does not run without one: where the
 * objects lack it, it is the one that the rules have.
 */
export function withShownPodRange(model: Model, shown: readonly string[], note: (text: string) => void): Model {
  const { config, node } = model;
  if (config.detectLocal.kind !== 'nodeCIDR') return model;
  const family = (range: string) => parseCidr(range)?.family;
  const known = new Set(node.podCIDRs.map(family));
  const further = shown.filter((range) => !known.has(family(range)));
  if (further.length === 0) return model;
  note(`the Pod range of the node as the dump shows it: ${further.join(', ')}`);
  return { ...model, node: { ...node, podCIDRs: [...node.podCIDRs, ...further] } };
}
