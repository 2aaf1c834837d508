import { countNodes } from '../../../report/fleet/countNodes.ts';
import type { FleetRun, FleetSummary } from '../../../report/fleet/fleetReport.ts';
import { weightOf } from '../changeGroups.ts';
import type { Dependent } from '../dependents.ts';
import type { MigrationNeed } from '../migrationNeeds.ts';
import type { MigrationStep } from '../migrationSteps.ts';
import type { BriefChange, BriefKind, BriefMigration, MigratedNode } from './migratedNode.ts';
import { type ServicesOnNodes, servicesOnNodes } from './servicesOnNodes.ts';

/** What a migration changes on several nodes: what is equal stands once, with its nodes. */
export interface MigrateSummary extends FleetSummary {
  readonly command: 'migrate';
  readonly kinds: readonly KindsOnNodes[];
  readonly groups: readonly ChangeOnNodes[];
  /** Nodes where nobody can tell what some packets meet. */
  readonly unknown: readonly string[];
  readonly needs: readonly NeedOnNodes[];
  readonly dependents: readonly DependentOnNodes[];
}

/** kube-proxy before and after, and the steps from one to the other. */
export interface KindsOnNodes {
  readonly from: BriefKind;
  readonly to: BriefKind;
  readonly nodes: readonly string[];
  readonly steps: readonly MigrationStep[];
  readonly back: readonly MigrationStep[];
}

export interface ChangeOnNodes extends Omit<BriefChange, 'services' | 'example'> {
  readonly from: string;
  readonly to: string;
  readonly nodes: readonly string[];
  readonly services: readonly ServicesOnNodes[];
  /** One of its packets on the first of the nodes, as the report for people shows it. */
  readonly example: readonly string[];
}

export interface NeedOnNodes extends MigrationNeed {
  readonly nodes: readonly string[];
}

/** Rules of another program that rely on kube-proxy in the same way. */
export interface DependentOnNodes extends Pick<Dependent, 'kind' | 'says'> {
  readonly program: string | null;
  readonly rules: readonly { readonly rule: string; readonly nodes: readonly string[] }[];
  readonly nodes: readonly string[];
}

type Judged = MigratedNode & { readonly migration: BriefMigration };

export function summarizeMigrations(answers: readonly MigratedNode[], run: FleetRun): MigrateSummary {
  const { exitCode, shard } = run;
  const judged = answers.filter((answer): answer is Judged => answer.migration !== undefined);
  return {
    command: 'migrate',
    nodes: countNodes(answers, run),
    kinds: kindsOf(judged),
    groups: groupsOf(judged, examplesOf(run)),
    unknown: judged.filter(({ migration }) => migration.summary.unknown > 0).map(({ node }) => node),
    needs: needsOf(judged),
    dependents: dependentsOf(judged),
    exitCode,
    ...(shard && { shard }),
  };
}

/** Entries with equal keys, in the order of the first of each. */
function grouped<T>(entries: Iterable<T>, keyOf: (entry: T) => unknown): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const entry of entries) {
    const key = JSON.stringify(keyOf(entry));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [entry]);
    else known.push(entry);
  }
  return [...groups.values()];
}

function kindsOf(judged: readonly Judged[]): readonly KindsOnNodes[] {
  const groups = grouped(judged, ({ migration: { from, to, steps, back } }) => [from, to, steps, back]);
  return groups.map((nodes) => {
    const { from, to, steps, back } = nodes[0].migration;
    return { from, to, nodes: nodes.map(({ node }) => node), steps, back };
  });
}

interface PlacedChange {
  readonly node: string;
  readonly migration: BriefMigration;
  readonly change: BriefChange;
}

function groupsOf(
  judged: readonly Judged[],
  examples: ReadonlyMap<string, readonly string[]>,
): readonly ChangeOnNodes[] {
  const all = judged.flatMap(({ node, migration }) =>
    migration.changes.map((change): PlacedChange => ({ node, migration, change })),
  );
  const groups = grouped(all, ({ change, migration }) => changeKey({ ...change, ...modesOf(migration) }));
  return groups
    .map((placed): ChangeOnNodes => {
      const [{ change, migration }] = placed;
      const { services: _, example, ...rest } = change;
      const own = { ...rest, ...modesOf(migration), nodes: placed.map(({ node }) => node) };
      return {
        ...own,
        entrances: [...new Set(placed.flatMap((one) => one.change.entrances))],
        count: placed.reduce((sum, one) => sum + one.change.count, 0),
        services: servicesOnNodes(placed.map(({ node, change: { services } }) => ({ node, services }))),
        example: example ?? examples.get(exampleKey(own)) ?? [],
      };
    })
    .sort((one, other) => weightOf(other) - weightOf(one) || other.nodes.length - one.nodes.length);
}

/** What the words of a change depend on. */
function modesOf({ from, to }: BriefMigration): { readonly from: string; readonly to: string } {
  return from.mode === to.mode
    ? { from: `${from.mode} ${from.version}`, to: `${to.mode} ${to.version}` }
    : { from: from.mode, to: to.mode };
}

type KeyOfChange = Pick<ChangeOnNodes, 'title' | 'before' | 'after' | 'says' | 'advice' | 'from' | 'to'>;

function changeKey({ title, before, after, says, advice, from, to }: KeyOfChange): string {
  return JSON.stringify([title, before, after, says, advice, from, to]);
}

/** Reports that are read have their packets in their summaries alone: by change and first node. */
function examplesOf({ parts = [] }: FleetRun): ReadonlyMap<string, readonly string[]> {
  const groups = parts.flatMap((part) => (part as MigrateSummary).groups);
  return new Map(groups.map((group) => [exampleKey(group), group.example]));
}

function exampleKey({ nodes, ...change }: KeyOfChange & Pick<ChangeOnNodes, 'nodes'>): string {
  return JSON.stringify([changeKey(change), nodes[0]]);
}

function needsOf(judged: readonly Judged[]): readonly NeedOnNodes[] {
  const all = judged.flatMap(({ node, migration: { needs } }) => needs.map((need) => ({ node, need })));
  return grouped(all, ({ need: { kind, says, check } }) => [kind, says, check]).map((placed) => ({
    ...placed[0].need,
    nodes: placed.map(({ node }) => node),
  }));
}

function dependentsOf(judged: readonly Judged[]): readonly DependentOnNodes[] {
  const all = judged.flatMap(({ node, migration: { dependents } }) =>
    (dependents ?? []).map((dependent) => ({ node, ...dependent })),
  );
  return grouped(all, ({ kind, program, says }) => [kind, program, says]).map((placed) => {
    const [{ kind, program, says }] = placed;
    const rules = grouped(placed, ({ rule }) => rule).map((own) => ({ rule: own[0].rule, nodes: nodesOf(own) }));
    return { kind, program: program ?? null, says, rules, nodes: nodesOf(placed) };
  });
}

function nodesOf(placed: readonly { readonly node: string }[]): readonly string[] {
  return [...new Set(placed.map(({ node }) => node))];
}
