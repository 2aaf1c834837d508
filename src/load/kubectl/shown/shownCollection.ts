import type { ReadDocument } from '../../json/readJson.ts';
import { mergedTrees } from '../answeredValue.ts';
import { readDescription } from '../described/readDescription.ts';
import { type Tree, treeOf } from '../described/tree.ts';
import { hiddenByTables, type ShownKind, type TableRow, tableObject } from '../tableObject.ts';

/** An object that a table or description shows, and where it begins. */
export interface ShownObject extends ReadDocument {
  readonly start: number;
  /**
   * How much it shows: 0 a line of a table that leaves some out, 1 a line of a table, 2 its mention in the description
   * of another, 3 its own description.
   */
  readonly detail: number;
}

/** What a text shows, and what is wrong with it. */
export interface ShownObjects {
  readonly objects: readonly ShownObject[];
  /** What each kind that occurs does not show, in sentences' parts. */
  readonly hidden: ReadonlySet<string>;
  readonly problems: readonly ShownProblem[];
}

export interface ShownProblem {
  readonly code: 'table-cut' | 'table-unread';
  readonly message: string;
  readonly offset: number;
  /** What to give instead: without it the table is an error. */
  readonly hint?: string;
}

/** Collects what a text shows, line by line. */
export interface ShownCollection {
  /** `row` undefined: the line does not fit its columns; `namespace`: that of the command that printed it. */
  readonly addRow: (kind: ShownKind, row: TableRow | undefined, namespace: string | undefined, offset: number) => void;
  readonly addDescription: (lines: readonly string[], offset: number) => void;
  /** One field of an object, joined with those that were asked for before. */
  readonly addAnswer: (value: Tree, offset: number) => void;
  readonly unread: (message: string, offset: number) => void;
  readonly problem: (problem: ShownProblem) => void;
  readonly shown: () => ShownObjects;
}

export function shownCollection(): ShownCollection {
  const objects: ShownObject[] = [];
  const problems: ShownProblem[] = [];
  const hidden = new Set<string>();
  const answered = new Map<string, number>();
  const add = (start: number, value: unknown, detail: number): void => {
    objects.push({ document: objects.length, value, start, detail });
  };
  const remark = (offset: number, cuts: readonly string[], hides: string | undefined): void => {
    if (hides !== undefined) hidden.add(hides);
    for (const message of cuts) problems.push({ code: 'table-cut', message, offset });
  };
  const unread = (message: string, offset: number): void => {
    problems.push({ code: 'table-unread', message, offset });
  };
  return {
    addRow: (kind, row, namespace, offset) => {
      const shown = row === undefined ? undefined : tableObject(kind, row, namespace);
      if (shown === undefined) {
        unread('this line does not fit the columns above it', offset);
        return;
      }
      add(offset, shown.value, shown.isCut ? 0 : 1);
      remark(offset, shown.cuts, hiddenByTables[kind]);
    },
    addDescription: (lines, offset) => {
      const described = readDescription(lines);
      for (const { value, isWhole } of described?.values ?? []) add(offset, value, isWhole ? 3 : 2);
      if (described !== undefined) remark(offset, described.cuts, described.hides);
    },
    addAnswer: (value, offset) => {
      const { namespace, name } = treeOf(value.metadata);
      const key = JSON.stringify([value.kind, namespace, name]);
      const at = answered.get(key);
      const known = at === undefined ? undefined : objects[at];
      if (at !== undefined && known !== undefined) {
        objects[at] = { ...known, value: mergedTrees(known.value, value) };
        return;
      }
      answered.set(key, objects.length);
      add(offset, value, 0);
    },
    unread,
    problem: (problem) => problems.push(problem),
    shown: () => ({ objects, hidden, problems }),
  };
}
