import type { Buffer } from 'node:buffer';
import type { TextChange } from './textChanges.ts';

/**
 * The sections that a text falls into: chains, sets, and what stands between them. A large node has two hundred thousand,
 * so they are plain numbers, and what a name hashes to stands for the name until somebody looks at the text.
 */
export interface Sections {
  /** Where each begins. */
  readonly starts: Uint32Array;
  /** `hashOfName`; 0: the section has no name that matters. */
  readonly names: Uint32Array;
  /** What each is, in the numbers of the text's form. */
  readonly kinds: Uint8Array;
}

/** A text with its sections. */
export interface SectionedText {
  readonly text: Buffer;
  readonly sections: Sections;
}

/** Called with each section in turn. */
export type AddSection = (start: number, name: number, kind: number) => void;

/**
 * Finds the sections of a part of a text, which begins and ends with whole sections; `before` is the kind of the section in
 * front of it, 0 at the start. False: the text is not in the form.
 */
export type FindSections = (text: Buffer, from: number, to: number, before: number, add: AddSection) => boolean;

/** Undefined: the text is not in the form. */
export function sectionedText(text: Buffer, find: FindSections): SectionedText | undefined {
  const list = sectionList(1024);
  return find(text, 0, text.length, 0, list.add) ? { text, sections: list.sections() } : undefined;
}

/** The sections of a changed text: only what changed is looked at again. Undefined: the text is not in the form. */
export function changedSections(
  { sections, text: before }: SectionedText,
  text: Buffer,
  changes: readonly TextChange[],
  find: FindSections,
): SectionedText | undefined {
  if (sections.starts.length === 0) return sectionedText(text, find);
  const list = sectionList(sections.starts.length + 1024);
  let kept = 0;
  let shift = 0;
  for (let at = 0; at < changes.length; ) {
    // A section may grow together with the one before or behind it.
    const first = Math.max(0, sectionAt(sections, (changes[at] as TextChange).before.from) - 1);
    let behind = first;
    let grown = shift;
    for (; at < changes.length; at += 1) {
      const change = changes[at] as TextChange;
      if (behind > first && sectionAt(sections, change.before.from) - 1 > behind) break;
      behind = Math.max(behind, Math.min(sections.starts.length, sectionAt(sections, change.before.to) + 2));
      grown += change.after.to - change.after.from - (change.before.to - change.before.from);
    }
    list.copy(sections, kept, first, shift);
    const from = (sections.starts[first] as number) + shift;
    const to = (sections.starts[behind] ?? before.length) + grown;
    const kind = first === 0 ? 0 : (sections.kinds[first - 1] as number);
    if (!find(text, from, to, kind, list.add)) return undefined;
    kept = behind;
    shift = grown;
  }
  list.copy(sections, kept, sections.starts.length, shift);
  return { text, sections: list.sections() };
}

/** The number of the section that holds a place. */
export function sectionAt({ starts }: Sections, place: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return low;
}

/** Where a section ends. */
export function sectionEnd({ sections, text }: SectionedText, at: number): number {
  return sections.starts[at + 1] ?? text.length;
}

export function sectionText(sectioned: SectionedText, at: number): string {
  return sectioned.text.toString('latin1', sectioned.sections.starts[at], sectionEnd(sectioned, at));
}

/** The sections of a kind with one of some names, in order; `nameIn` reads the name from the text of a section. */
export function namedSections(
  sectioned: SectionedText,
  kind: number,
  wanted: ReadonlySet<string>,
  nameIn: (text: string) => string,
): readonly number[] {
  const { names, kinds } = sectioned.sections;
  // Most names are nobody's: a look at a few bits is much faster than one at a set.
  const marks = new Uint8Array(markCount);
  for (const name of wanted) marks[hashOfName(name) & (markCount - 1)] = 1;
  const found: number[] = [];
  for (let at = 0; at < names.length; at += 1) {
    if (kinds[at] !== kind || marks[(names[at] as number) & (markCount - 1)] !== 1) continue;
    if (wanted.has(nameIn(sectionText(sectioned, at)))) found.push(at);
  }
  return found;
}

/** A power of two. */
const markCount = 1 << 14;

/** Never 0. The name itself is read before a section counts, so names that somebody chose to hash alike only cost time. */
export function hashOfName(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0 || 1;
}

function shiftAll(numbers: Uint32Array, shift: number): void {
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at] as number) + shift;
}

function sectionList(room: number) {
  let starts = new Uint32Array(room);
  let names = new Uint32Array(room);
  let kinds = new Uint8Array(room);
  let count = 0;
  const grow = (needed: number) => {
    if (needed <= starts.length) return;
    const size = Math.max(needed, starts.length * 2);
    const [oldStarts, oldNames, oldKinds] = [starts, names, kinds];
    starts = new Uint32Array(size);
    names = new Uint32Array(size);
    kinds = new Uint8Array(size);
    starts.set(oldStarts.subarray(0, count));
    names.set(oldNames.subarray(0, count));
    kinds.set(oldKinds.subarray(0, count));
  };
  return {
    add: (start: number, name: number, kind: number) => {
      grow(count + 1);
      starts[count] = start;
      names[count] = name;
      kinds[count] = kind;
      count += 1;
    },
    copy: (from: Sections, first: number, behind: number, shift: number) => {
      if (behind <= first) return;
      grow(count + behind - first);
      names.set(from.names.subarray(first, behind), count);
      kinds.set(from.kinds.subarray(first, behind), count);
      starts.set(from.starts.subarray(first, behind), count);
      if (shift !== 0) shiftAll(starts.subarray(count, count + behind - first), shift);
      count += behind - first;
    },
    sections: (): Sections => ({
      starts: starts.slice(0, count),
      names: names.slice(0, count),
      kinds: kinds.slice(0, count),
    }),
  };
}
