import type { SourceObject } from '../../sourceObject.ts';
import { type Tree, treeOf, treesOf } from '../described/tree.ts';

/**
 * What a manifest and a view that kubectl shows of the same Service say differently, each as a part of a sentence. Only what
 * both say is compared; other kinds have nothing that a person writes and kubectl shows.
 */
export function shownDifferences({ kind, value }: SourceObject, view: SourceObject): readonly string[] {
  if (kind !== 'Service') return [];
  const [own, shown] = [treeOf(value.spec), treeOf(view.value.spec)];
  const differences: string[] = [];
  const compare = (what: string, here: string | undefined, there: string | undefined): void => {
    if (here !== undefined && there !== undefined && here !== there)
      differences.push(`${what} ${here} in the manifest, ${there} in the cluster`);
  };
  compare('type', textOf(own.type) ?? 'ClusterIP', textOf(shown.type));
  compare('cluster IP', textOf(own.clusterIP), textOf(shown.clusterIP));
  compare('selector', pairsText(own.selector), pairsText(shown.selector));
  compare('session affinity', textOf(own.sessionAffinity), textOf(shown.sessionAffinity));
  compare('ports', portsText(own), portsText(shown));
  for (const key of ['targetPort', 'nodePort']) {
    for (const port of treesOf(own.ports)) {
      const same = treesOf(shown.ports).find((one) => portText(one) === portText(port));
      compare(`${key} of ${portText(port)}`, textOf(port[key]), textOf(same?.[key]));
    }
  }
  return differences;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function pairsText(value: unknown): string | undefined {
  const pairs = Object.entries(treeOf(value)).map(([key, text]) => `${key}=${String(text)}`);
  return pairs.length === 0 ? undefined : pairs.sort().join(',');
}

function portsText(spec: Tree): string | undefined {
  const ports = treesOf(spec.ports).map(portText);
  return ports.length === 0 ? undefined : ports.sort().join(', ');
}

function portText({ port, protocol }: Tree): string {
  return `${String(port)}/${String(protocol ?? 'TCP')}`;
}
