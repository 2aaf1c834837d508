import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assumedNetwork } from '../../src/behaviour/assumedNetwork.ts';
import { type BehaviourSide, behaviourSide } from '../../src/behaviour/behaviourSide.ts';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { readDumps } from '../../src/dump/readDumps.ts';

const root = join(import.meta.dirname, '../..');
export const services = join(root, 'golden/recorded/services');

/** The files of a recorded scenario that are there, under their own names. */
export function recordedFiles(scenario: string, mode: string, names: readonly string[]): readonly DumpFile[] {
  return names.flatMap((name) => {
    const path = join(services, scenario, mode, name);
    return existsSync(path) ? [{ name, text: readFileSync(path, 'utf8') }] : [];
  });
}

/** Two rule sets of one node; without facts both get the same made-up network. */
export function twoSides(
  a: readonly DumpFile[],
  b: readonly DumpFile[],
  facts: readonly (object | undefined)[] = [],
): readonly [BehaviourSide, BehaviourSide] {
  const nodes = [a, b].map((files, at) => {
    const own = facts[at];
    const more = own ? [{ name: 'facts.json', text: JSON.stringify(own), kind: 'facts' as const }] : [];
    return readDumps([...files, ...more], { name: 'ab'[at] as string });
  });
  const assumed = facts.length > 0 ? undefined : assumedNetwork(nodes);
  return nodes.map((node) => behaviourSide(node.name, node, assumed)) as [BehaviourSide, BehaviourSide];
}
