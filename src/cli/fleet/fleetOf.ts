import { existsSync } from 'node:fs';
import { allNodes, isNodeWord } from '../dumps/nodeWords.ts';
import { isFolder } from '../dumps/paths/isFolder.ts';
import { withEachNode } from '../dumps/readNodes.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endMisused } from '../options/refuseOption.ts';
import type { WatchFlags } from '../watch/watchOptions.ts';
import type { Messages } from '../write/messages.ts';
import type { FleetPath } from './entries/fleetEntry.ts';
import type { FleetFlags } from './fleetOptions.ts';

/** Options that have no meaning for several nodes. */
export interface OneNodeFlags {
  readonly node?: string;
  readonly nodeIp?: readonly string[];
  readonly nodeAddress?: readonly string[];
  readonly conntrack?: readonly string[];
  readonly routes?: readonly string[];
  readonly bridge?: readonly string[];
  readonly addresses?: readonly string[];
  readonly sysctl?: readonly string[];
  readonly modules?: readonly string[];
  readonly facts?: readonly string[];
  readonly ipset?: readonly string[];
  readonly unified?: boolean;
  readonly output?: string;
}

export type Fleet =
  | { readonly kind: 'one' }
  | { readonly kind: 'many'; readonly paths: readonly FleetPath[] }
  /** Problems were reported. */
  | { readonly kind: 'refused'; readonly code: number };

/** Whether words are about one node or about many, and which. A watch has its own way to look at many. */
export async function fleetOf(
  name: string,
  words: readonly string[],
  options: FleetFlags & OneNodeFlags & LiveFlags & WatchFlags,
  messages: Messages,
): Promise<Fleet> {
  if (options.watch === true) return { kind: 'one' };
  const isAsked =
    options.nodes === true ||
    options.failFast === true ||
    options.shard !== undefined ||
    options.nodeName !== undefined ||
    options.jobs !== undefined;
  const [only = ''] = words;
  const isOneWord = !isAsked && words.length === 1 && only !== allNodes;
  const areLive = options.liveNodes !== undefined && words.some(isNodeWord);
  const mayHoldSeveral = !areLive && (isFolder(only) || /\.(?:tar|tgz|gz)$/.test(only));
  if (isOneWord && !mayHoldSeveral) return { kind: 'one' };
  if (areLive) return liveFleet(name, words, options, messages);
  const { fleetPaths } = await import('./entries/fleetPaths.ts');
  const paths = await fleetPaths(words, isAsked);
  const wrong = paths === undefined ? (isAsked ? noNodes(words) : undefined) : misuseOf(options);
  if (wrong !== undefined) return refused(name, wrong, messages);
  return paths === undefined ? { kind: 'one' } : { kind: 'many', paths };
}

async function refused(name: string, why: string, messages: Messages): Promise<Fleet> {
  return { kind: 'refused', code: await endMisused(messages, name, why) };
}

/** Nodes of the cluster: several by name, or `nodes`, however many there are. */
async function liveFleet(
  name: string,
  words: readonly string[],
  options: OneNodeFlags & LiveFlags,
  messages: Messages,
): Promise<Fleet> {
  const other = words.find((word) => !isNodeWord(word));
  const wrong = other === undefined ? misuseOf(options) : besideNodes(other);
  if (wrong !== undefined) return refused(name, wrong, messages);
  const nodes = await withEachNode(words, options, messages);
  return { kind: 'many', paths: nodes.map((path) => ({ kind: 'live', path })) };
}

/** A word that stands beside nodes of the cluster, and names none. */
function besideNodes(word: string): string {
  if (existsSync(word))
    return `nodes of the cluster and files do not go together: give one or the other, not ${word} too`;
  return `${word} is no file, and no node of the cluster, which is written node/NAME`;
}

function noNodes(words: readonly string[]): string {
  if (words.includes('-')) return 'standard input is the dump of one node: give a folder or a file of each node';
  return `${words.join(' ')} is one node: give a folder of nodes, or a folder or a file of each`;
}

function misuseOf(options: OneNodeFlags): string | undefined {
  if (options.node !== undefined)
    return '--node and several nodes exclude each other: each is compiled for itself (--node-name tells names by paths)';
  const facts = [
    'nodeIp',
    'nodeAddress',
    'conntrack',
    'routes',
    'bridge',
    'addresses',
    'sysctl',
    'modules',
    'facts',
    'ipset',
  ] as const;
  const given = facts.find((fact) => options[fact] !== undefined);
  if (given !== undefined)
    return `--${given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is about one node: put such files into the folders of the nodes`;
  const form = options.unified ? 'unified' : options.output;
  return form === 'html' || form === 'unified' ? `--output ${form} is about one node` : undefined;
}
