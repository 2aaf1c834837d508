import { namesMeant } from '../common/namesMeant.ts';
import { readParty } from '../trace/question/readParty.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import type { AskedService } from './askedService.ts';

/** Who sends, as the walk takes it, or what is wrong with the word. */
export type SenderMeant = { readonly from: string } | { readonly problem: string };

/**
 * Reads `--from`: a name without a namespace is that of a Pod beside the Service, or of a Node. An unknown name would be
 * a sender without any results.
 */
export function senderMeant({ cluster: { manifests }, service }: AskedService, asked: string): SenderMeant {
  const from = besideService(manifests, service.namespace, asked) ?? asked;
  const party = readParty(from);
  if (party === undefined)
    return { problem: `--from ${asked}: give an address, a Pod (namespace/name), node, node/NAME or outside` };
  if (party.kind === 'object') return known(asked, from, party.name, 'Pod', podIds(manifests));
  if (party.kind === 'node' && party.name !== undefined)
    return known(asked, from, party.name, 'Node', nodeNames(manifests));
  return { from };
}

/** Without objects of the kind nothing contradicts the name. */
function known(asked: string, from: string, name: string, kind: 'Pod' | 'Node', names: readonly string[]): SenderMeant {
  if (names.length === 0 || names.includes(name)) return { from };
  const near = namesMeant(name, names);
  const meant = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  return { problem: `--from ${asked}: the objects have no such ${kind}${meant}` };
}

function besideService(manifests: Manifests, namespace: string, asked: string): string | undefined {
  const [, kind, name] = /^(?:(po|pods?)\/)?([a-z0-9][a-z0-9.-]*)$/.exec(asked) ?? [];
  if (name === undefined || (kind === undefined && readParty(asked) !== undefined)) return undefined;
  const pods = podIds(manifests);
  if (pods.includes(`${namespace}/${name}`)) return `${namespace}/${name}`;
  return kind === undefined && nodeNames(manifests).includes(name) ? `node/${name}` : undefined;
}

function podIds({ pods }: Manifests): readonly string[] {
  return pods.map(({ value }) => nameOf(value.metadata));
}

function nodeNames({ nodes }: Manifests): readonly string[] {
  return nodes.map(({ value }) => value.metadata.name);
}
