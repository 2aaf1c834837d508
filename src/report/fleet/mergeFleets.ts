import { firstFew } from '../../common/text/firstFew.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FleetSummary } from './fleetReport.ts';
import type { FleetLines, NodeLine } from './readFleetLines.ts';

/** A report that was read, and the file it was read from. */
export interface NamedFleet extends FleetLines {
  readonly file: string;
}

export interface MergedFleet {
  readonly command: FleetSummary['command'];
  /** In the order of one complete run; for parts that are not shards, in the order of the files. */
  readonly nodes: readonly NodeLine[];
  readonly skipped: number;
  /** Nodes that occur in two reports, and shards that are missing. */
  readonly problems: readonly Diagnostic[];
}

/** Combines reports of parts of a fleet. */
export function mergeFleets(fleets: readonly NamedFleet[]): MergedFleet {
  const problems: Diagnostic[] = [...missingShards(fleets), ...otherCommands(fleets)];
  const known = new Map<string, { readonly line: string; readonly file: string }>();
  const nodes: NodeLine[] = [];
  for (const { file, nodes: own } of fleets) {
    for (const each of own) {
      // Nodes without a verdict cannot occur twice.
      const { node, state, isNamed } = each.answer;
      const first = isNamed && state !== 'unjudged' ? known.get(node) : undefined;
      if (first === undefined) {
        nodes.push(each);
        if (isNamed && state !== 'unjudged') known.set(node, { line: each.line, file });
      } else if (first.line !== each.line) {
        const message = `node ${node} is in ${first.file} and in ${file}, and they differ: the first counts`;
        problems.push({ code: 'node-given-twice', severity: 'error', message, at: [] });
      }
    }
  }
  const isSharded = fleets.every(({ summary }) => summary.shard !== undefined);
  return {
    command: fleets[0]?.summary.command ?? 'diff',
    nodes: isSharded ? [...nodes].sort((one, other) => one.answer.at - other.answer.at) : nodes,
    skipped: fleets.reduce((sum, { summary }) => sum + (summary.nodes.skipped ?? 0), 0),
    problems,
  };
}

function missingShards(fleets: readonly NamedFleet[]): readonly Diagnostic[] {
  const shards = fleets.flatMap(({ summary }) => summary.shard ?? []);
  const [first] = shards;
  if (first === undefined) return [];
  const other = shards.find(({ of }) => of !== first.of);
  if (other !== undefined) {
    const message = `the reports are shards of different runs: of ${first.of} and of ${other.of}`;
    return [{ code: 'shard-missing', severity: 'error', message, at: [] }];
  }
  const given = new Set(shards.map(({ index }) => index));
  const missing = Array.from({ length: first.of }, (_, index) => index).filter((index) => !given.has(index));
  if (missing.length === 0) return [];
  const names = missing.map((index) => `${index}/${first.of}`);
  const message = `shards are missing: ${firstFew(names, 5)}; nothing is known of their nodes`;
  return [{ code: 'shard-missing', severity: 'error', message, at: [] }];
}

function otherCommands(fleets: readonly NamedFleet[]): readonly Diagnostic[] {
  const [first, ...others] = fleets;
  const other = others.find(({ summary }) => summary.command !== first?.summary.command);
  if (first === undefined || other === undefined) return [];
  const message = `${first.file} is of ${first.summary.command}, ${other.file} of ${other.summary.command}: merge each for itself`;
  return [{ code: 'not-a-report', severity: 'error', message, at: [] }];
}
