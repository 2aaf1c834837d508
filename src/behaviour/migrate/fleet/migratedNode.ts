import type { PlainObject } from '../../../report/fleet/fleetReport.ts';
import type { NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import type { SenderKind } from '../../packets/senderKinds.ts';
import type { ChangeGroup } from '../changeGroups.ts';
import type { Dependent } from '../dependents.ts';
import type { MigrationNeed } from '../migrationNeeds.ts';
import type { MigrationStep } from '../migrationSteps.ts';

/** What a migration changes on one node among many. */
export interface MigratedNode extends NodeVerdict {
  /** Undefined: the node was not judged. */
  readonly migration: BriefMigration | undefined;
}

/** The part of k8snet.migration/v1 that nodes are brought together by. */
export interface BriefMigration {
  readonly from: BriefKind;
  readonly to: BriefKind;
  readonly summary: { readonly different: number; readonly unknown: number };
  readonly changes: readonly BriefChange[];
  readonly needs: readonly MigrationNeed[];
  readonly dependents: readonly Dependent[] | null;
  readonly steps: readonly MigrationStep[];
  readonly back: readonly MigrationStep[];
}

export interface BriefKind {
  readonly mode: string;
  readonly version: string;
}

export interface BriefChange extends Pick<ChangeGroup, 'title' | 'before' | 'after' | 'isNewlyOpen' | 'says'> {
  readonly kind: string | null;
  readonly advice: string | null;
  readonly services: readonly string[];
  readonly entrances: readonly SenderKind[];
  /** Differences of this kind. */
  readonly count: number;
  /** One of its packets, as the report for people shows it; undefined: only the JSON was read. */
  readonly example?: readonly string[];
}

/** Undefined: it is no k8snet.migration/v1. `examples`: a packet of each change. */
export function briefMigration(
  report: PlainObject,
  examples: readonly (readonly string[])[] = [],
): BriefMigration | undefined {
  if (!isMigration(report)) return undefined;
  const { from, to, summary, changes, needs, dependents, steps, back } = report;
  return {
    from: { mode: from.mode, version: from.version },
    to: { mode: to.mode, version: to.version },
    summary: { different: summary.different, unknown: summary.unknown },
    changes: changes.map(
      ({ kind, title, before, after, isNewlyOpen, says, advice, services, entrances, count }, at): BriefChange => {
        const example = examples[at];
        const change = { kind, title, before, after, isNewlyOpen, says, advice, services, entrances, count };
        return example === undefined ? change : { ...change, example };
      },
    ),
    needs,
    dependents,
    steps,
    back,
  };
}

function isMigration(report: unknown): report is BriefMigration {
  const { from, to, summary, changes, needs, dependents, steps, back } = report as Partial<BriefMigration>;
  return (
    [from, to].every((kind) => typeof kind?.mode === 'string' && typeof kind.version === 'string') &&
    typeof summary?.different === 'number' &&
    typeof summary.unknown === 'number' &&
    areObjects(changes) &&
    changes.every(isChange) &&
    areObjects(needs) &&
    needs.every(({ says }) => typeof says === 'string') &&
    (dependents === null || (areObjects(dependents) && dependents.every(({ rule }) => typeof rule === 'string'))) &&
    [steps, back].every((list) => areObjects(list) && list.every(({ commands }) => areTexts(commands)))
  );
}

function isChange({ title, before, after, says, services, entrances, count }: BriefChange): boolean {
  return (
    [title, before, after].every((text) => typeof text === 'string') &&
    [says, services, entrances].every(areTexts) &&
    typeof count === 'number'
  );
}

function areObjects<T>(list: readonly T[] | undefined): list is readonly T[] {
  return Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null);
}

function areTexts(list: readonly string[]): boolean {
  return Array.isArray(list) && list.every((text) => typeof text === 'string');
}
