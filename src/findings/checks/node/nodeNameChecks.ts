import type { Origin } from '../../../diagnostics/diagnostic.ts';
import type { NodeFacts } from '../../../model/nodeFacts.ts';
import type { Manifests } from '../../../validate/kinds/manifests.ts';
import { sliceNodeNames } from '../../../validate/shown/sliceNodeNames.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N503: no endpoint is on this node by its exact name, and some are on one whose name differs only by case or domain:
 * kube-proxy compares the texts, so every endpoint counts as remote and policy Local finds none.
 */
export function nodeNameChecks(
  manifests: Pick<Manifests, 'endpointSlices' | 'endpoints' | 'pods' | 'nodes'>,
  node: Pick<NodeFacts, 'name'>,
): readonly Finding[] {
  if (manifests.nodes.some(({ value }) => value.metadata.name === node.name)) return [];
  const similar = new Map<string, { readonly origin: Origin; count: number }>();
  const others = new Set<string>();
  for (const { nodeName, origin } of nodeNames(manifests)) {
    if (nodeName === node.name) return [];
    if (others.has(nodeName)) continue;
    if (!isSimilar(nodeName, node.name)) {
      others.add(nodeName);
      continue;
    }
    const known = similar.get(nodeName);
    if (known) known.count += 1;
    else similar.set(nodeName, { origin, count: 1 });
  }
  return [...similar].map(([name, { origin, count }]) =>
    makeFinding('K8N503', {
      what: `rules are for a node named ${node.name}, and what is on ${name} counts as remote (endpoints and Pods: ${count})`,
      places: [origin],
    }),
  );
}

function* nodeNames({
  endpointSlices,
  endpoints,
  pods,
}: Pick<Manifests, 'endpointSlices' | 'endpoints' | 'pods'>): Iterable<{ nodeName: string; origin: Origin }> {
  for (const { value, origin } of endpointSlices) {
    for (const nodeName of sliceNodeNames(value)) yield { nodeName, origin };
  }
  for (const { value, origin } of endpoints) {
    for (const { addresses, notReadyAddresses } of value.subsets ?? []) {
      for (const { nodeName } of addresses ?? []) if (nodeName) yield { nodeName, origin };
      for (const { nodeName } of notReadyAddresses ?? []) if (nodeName) yield { nodeName, origin };
    }
  }
  for (const { value, origin } of pods) if (value.spec?.nodeName) yield { nodeName: value.spec.nodeName, origin };
}

/** Equal regardless of case, or one is the other with a domain. Names that are IPv4 addresses have no domain. */
function isSimilar(nodeName: string, own: string): boolean {
  const name = nodeName.toLowerCase();
  if (name === own) return true;
  if (/^[\d.]+$/.test(name) || /^[\d.]+$/.test(own)) return false;
  const isShort = !name.includes('.') || !own.includes('.');
  return isShort && name.split('.')[0] === own.split('.')[0];
}
