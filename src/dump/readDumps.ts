import type { Family } from '../common/family.ts';
import { hasLines, haveSameLines } from '../node/chainLines.ts';
import { chainOf, type NodeDump, type RuleSet, type RuleTable } from '../node/nodeRules.ts';
import type { UnreadLine } from '../node/unreadLine.ts';
import type { DumpFile } from './dumpFile.ts';
import { nothingShown } from './nothingShown.ts';
import { readAddresses } from './readAddresses.ts';
import { readBridge } from './readBridge.ts';
import { readConntrack } from './readConntrack.ts';
import { mergeChain, readIptables } from './readIptables.ts';
import { readIpset, readIpvs } from './readIpvsParts.ts';
import { readNft } from './readNft.ts';
import { readRoutes } from './readRoutes.ts';
import { splitKinds } from './splitKinds.ts';

export interface ReadOptions {
  /** The family of texts that do not show theirs. */
  readonly family?: Family | undefined;
  /** What the node is called in reports. */
  readonly name: string;
}

/**
 * Reads the files of one node. Kind, family and table of what they hold are told from the texts; rules of several files come
 * together, and two dumps of one table stand for two back ends. Nothing is dropped in silence: lines that cannot be read
 * are listed.
 */
export function readDumps(files: readonly DumpFile[], options: ReadOptions): NodeDump {
  const sets: RuleSet[] = [];
  const unread: UnreadLine[] = [];
  const notes: string[] = [];
  const hiddenTables: NodeDump['hiddenTables'][number][] = [];
  const chainsListedByNft: NodeDump['chainsListedByNft'][number][] = [];
  const connections: NodeDump['connections'][number][] = [];
  const bridgePorts: NodeDump['bridgePorts'][number][] = [];
  const addresses: RuleSet[] = [];
  const routed: RuleSet[] = [];
  const empty: RuleSet[] = [];
  for (const file of files) {
    const nothing = nothingShown(file, options.family);
    if (nothing !== undefined) {
      empty.push(...nothing.sets);
      if (nothing.isUnknown) notes.push(`${file.name} is empty, and neither text nor name tells what printed it`);
      continue;
    }
    let lines: readonly string[] | undefined;
    const report = (problem: { line: number; word?: string; message: string }) => {
      lines ??= file.text.split('\n');
      const text = lines[problem.line - 1]?.slice(0, longestShown) ?? problem.word ?? '';
      unread.push({ file: file.name, line: problem.line, text, message: problem.message });
    };
    for (const { kind, text } of file.kind ? [{ kind: file.kind, text: file.text }] : splitKinds(file.text)) {
      const part = { name: file.name, text };
      switch (kind) {
        case 'iptables': {
          const read = readIptables(part, options.family, report);
          for (const set of read.sets) addSet(sets, withoutCopies(set, sets, notes));
          notes.push(...read.notes);
          hiddenTables.push(...read.hiddenTables);
          break;
        }
        case 'nft':
        case 'nftJson': {
          const read = readNft(part, report);
          for (const set of read.sets) addSet(sets, set);
          notes.push(...read.notes);
          chainsListedByNft.push(...read.chainsListedByNft);
          break;
        }
        case 'ipset':
          for (const set of readIpset(part, report)) addSet(sets, set);
          break;
        case 'ipvs':
          for (const set of readIpvs(part, report)) addSet(sets, set);
          break;
        case 'addresses':
          addresses.push(...readAddresses(part, report));
          break;
        case 'conntrack':
          for (const connection of readConntrack(part, report)) connections.push(connection);
          break;
        case 'routes':
          routed.push(...readRoutes(part, report));
          break;
        case 'bridge':
          bridgePorts.push(...readBridge(part, report));
      }
    }
  }
  addAddresses(sets, addresses, routed);
  for (const set of empty) {
    const isShown = sets.some(({ kind, family }) => kind === set.kind && family === set.family);
    if (!isShown) sets.push(set);
  }
  return {
    name: options.name,
    sets: withBackends(sets),
    unread,
    notes,
    hiddenTables,
    chainsListedByNft,
    connections,
    bridgePorts,
  };
}

const longestShown = 300;

/**
 * Routes stand in for the addresses of kube-ipvs0 where those were not given. That there are none is said of a node in
 * IPVS mode only: no other has the device.
 */
function addAddresses(sets: RuleSet[], shown: readonly RuleSet[], routed: readonly RuleSet[]): void {
  const hasIpvs = (family: Family) => sets.some((set) => set.kind === 'ipvs' && set.family === family);
  const isShown = (family: Family) => shown.some((set) => set.family === family);
  for (const set of [...shown, ...routed.filter(({ family }) => !isShown(family))]) {
    const isEmpty = !hasLines(set.tables.get('addresses')?.chains.get('kube-ipvs0'));
    if (!isEmpty || hasIpvs(set.family)) addSet(sets, set);
  }
}

function addSet(sets: RuleSet[], set: RuleSet): void {
  if ([...set.tables.values()].every(({ chains }) => chains.size === 0)) return;
  const at = sets.findIndex((other) => other.kind === set.kind && other.family === set.family && canMerge(other, set));
  const into = sets[at];
  if (into === undefined) {
    sets.push(set);
    return;
  }
  const tables = new Map(into.tables);
  for (const [name, table] of set.tables) {
    const own = tables.get(name);
    if (own === undefined) {
      tables.set(name, table);
      continue;
    }
    for (const chain of table.chains.values()) mergeChain(chainOf(own, chain.name, chain.file), chain);
  }
  sets[at] = {
    ...into,
    tables,
    ...(set.isLossy && { isLossy: true as const }),
    ...(set.hidesInterfaces && { hidesInterfaces: true as const }),
    files: [...new Set([...into.files, ...set.files])],
  };
}

/**
 * One back end has a table once: iptables-save and iptables-nft-save of a node print the same. What a second dump shows of
 * a table is left out.
 */
function withoutCopies(set: RuleSet, sets: readonly RuleSet[], notes: string[]): RuleSet {
  let left = set;
  for (const other of sets) {
    if (other.kind !== 'iptables' || other.family !== set.family) continue;
    const isSameBackend = other.backend !== undefined && other.backend === set.backend;
    const isEitherBackend = other.backend === undefined || set.backend === undefined;
    if (!isSameBackend && !isEitherBackend) continue;
    const twice = [...left.tables.values()].filter((table) => table.isWhole && other.tables.get(table.name)?.isWhole);
    const isEqual = twice.every((table) => hasSameRules(table, other.tables.get(table.name) as RuleTable));
    if (twice.length === 0 || (!isEqual && !isSameBackend)) continue;
    const names = twice.map(({ name }) => name).join(', ');
    const shown = `${set.files.join(', ')}: ${other.files.join(', ')} shows ${names} of ${set.family} too`;
    notes.push(isEqual ? `${shown}` : `${shown}, with other rules of the same back end; what came first is compared`);
    left = {
      ...left,
      tables: new Map([...left.tables].filter(([name]) => !twice.some((table) => table.name === name))),
    };
  }
  return left;
}

function hasSameRules(one: RuleTable, other: RuleTable): boolean {
  if (one.chains.size !== other.chains.size) return false;
  for (const chain of one.chains.values()) {
    const against = other.chains.get(chain.name);
    if (against === undefined || against.policy !== chain.policy) return false;
    if (!haveSameLines(chain, against)) return false;
  }
  return true;
}

/** Two dumps of whole tables of one name are two back ends; a back end is also told by its name. */
function canMerge(one: RuleSet, other: RuleSet): boolean {
  if (one.backend !== undefined && other.backend !== undefined && one.backend !== other.backend) return false;
  for (const [name, table] of other.tables) {
    const own = one.tables.get(name);
    if (own?.isWhole && table.isWhole) return false;
  }
  return true;
}

/** Where one of two dumps says nft, the other is of iptables-legacy, which never says so itself. */
function withBackends(sets: readonly RuleSet[]): readonly RuleSet[] {
  return sets.map((set) => {
    const hasNftTwin = sets.some(
      (other) => other !== set && other.kind === 'iptables' && other.family === set.family && other.backend === 'nft',
    );
    return set.kind === 'iptables' && set.backend === undefined && hasNftTwin ? { ...set, backend: 'legacy' } : set;
  });
}
