import type { Buffer } from 'node:buffer';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { targetName } from '../../node/rulesOf.ts';
import { serviceInLine } from '../../seen/names/serviceInLine.ts';
import { type AddSection, hashOfName, namedSections, type SectionedText, sectionEnd, sectionText } from './sections.ts';
import type { Span, TextChange } from './textChanges.ts';
import { firstChange, type ServicePlaces, spanList, type TextForm, type TextPart, type Touched } from './textParts.ts';

/**
 * What iptables-save prints without counters. Its sections: each declaration, each rule of a shared chain that names a
 * Service, and what else stands together of the rules of a chain.
 */
export const saveForm: TextForm = { find: findSections, touch, part, isOfService: (kind) => kind >= kinds.serviceRule };

/** From `serviceRule` on, only what belongs to some Services is part of them. */
const kinds = { other: 0, rules: 1, serviceRule: 2, serviceDeclaration: 3, serviceRules: 4 } as const;

/** The names of the tables in a text. */
export function tablesIn(sectioned: SectionedText): readonly string[] {
  const { text, sections } = sectioned;
  const tables: string[] = [];
  for (let at = 0; at < sections.starts.length; at += 1) {
    if (sections.kinds[at] !== kinds.other || text[sections.starts[at] as number] !== star) continue;
    tables.push(sectionText(sectioned, at).slice(1).trim());
  }
  return tables;
}

function findSections(text: Buffer, from: number, to: number, _before: number, add: AddSection): boolean {
  for (let at = from; at < to; ) {
    const code = text[at];
    if (code === colon) {
      const name = nameAt(text, at + 1, to);
      if (isServiceChain(name)) add(at, hashOfName(name), kinds.serviceDeclaration);
      else add(at, 0, kinds.other);
      at = behindLine(text, at, to);
    } else if (code === dash) {
      if (text[at + 1] !== letterA || text[at + 2] !== blank) return false;
      const name = nameAt(text, at + 3, to);
      if (isServiceChain(name)) {
        add(at, hashOfName(name), kinds.serviceRules);
        at = behindRun(text, at, at + 3 + name.length + 1, to);
      } else {
        const end = behindLine(text, at, to);
        const service = serviceInLine(text.toString('latin1', at, end));
        add(
          at,
          service === undefined ? 0 : hashOfName(service),
          service === undefined ? kinds.rules : kinds.serviceRule,
        );
        at = end;
      }
    } else if (code === bracket) {
      return false;
    } else {
      add(at, 0, kinds.other);
      at = behindLine(text, at, to);
    }
  }
  return true;
}

function touch(
  { text: old }: SectionedText,
  { text }: SectionedText,
  changes: readonly TextChange[],
  to: Touched,
): void {
  for (const { before, after } of changes) {
    const gone = linesIn(old, before).flatMap((line) => nobodysLine(line, to) ?? []);
    const come = linesIn(text, after).flatMap((line) => nobodysLine(line, to) ?? []);
    // A change reaches over lines that stay, where only their counters change or they are not the only ones of their kind.
    to.other ??= firstChange(gone, come);
  }
}

/** A changed line that is of no Service, without counters; undefined: it is, which is noted, or means nothing. */
function nobodysLine(line: string, to: Touched): string | undefined {
  const code = line.charCodeAt(0);
  if (line === '' || code === hashSign) return undefined;
  const name = nameIn(line);
  const service = code === dash ? serviceInLine(line) : undefined;
  if (service !== undefined) to.services.add(service);
  if (isServiceChain(name)) to.chains.add(name);
  else if (service === undefined) return code === colon ? line.replace(/ \[\d+:\d+\]$/, '') : line;
  return undefined;
}

function part(sectioned: SectionedText, { services }: ServicePlaces): TextPart {
  const { starts, kinds: all } = sectioned.sections;
  const isKept = new Uint8Array(starts.length);
  const rules = namedSections(sectioned, kinds.serviceRule, services, (text) => serviceInLine(text) ?? '');
  const wanted = new Set<string>();
  for (let at = 0; at < starts.length; at += 1) if ((all[at] as number) < kinds.serviceRule) isKept[at] = 1;
  for (const at of rules) isKept[at] = 1;
  for (let at = 0; at < starts.length; at += 1) {
    if (isKept[at] !== 1 || all[at] === kinds.other) continue;
    const target = targetName(sectionText(sectioned, at).trimEnd());
    if (isServiceChain(target)) wanted.add(target);
  }
  const chains = reached(sectioned, wanted);
  for (const kind of [kinds.serviceDeclaration, kinds.serviceRules])
    for (const at of namedSections(sectioned, kind, chains, nameIn)) isKept[at] = 1;
  const list = spanList();
  for (let at = 0; at < starts.length; at += 1)
    if (isKept[at] === 1) list.add(starts[at] as number, sectionEnd(sectioned, at));
  return { spans: list.spans, chains, ofServices: isKept };
}

/** Some chains of Services, and those that they lead to. */
function reached(sectioned: SectionedText, from: ReadonlySet<string>): ReadonlySet<string> {
  const chains = new Set(from);
  let open = from;
  while (open.size > 0) {
    const next = new Set<string>();
    for (const at of namedSections(sectioned, kinds.serviceRules, open, nameIn)) {
      for (const line of sectionText(sectioned, at).split('\n')) {
        const target = targetName(line);
        if (!isServiceChain(target) || chains.has(target)) continue;
        chains.add(target);
        next.add(target);
      }
    }
    open = next;
  }
  return chains;
}

/** `KUBE-SVC-…` of a declaration or a rule. */
function nameIn(text: string): string {
  return /^(?::|-A )(\S+)/.exec(text)?.[1] ?? '';
}

function nameAt(text: Buffer, from: number, to: number): string {
  let end = from;
  while (end < to && text[end] !== blank && text[end] !== lineBreak) end += 1;
  return text.toString('latin1', from, end);
}

/** Behind the lines that begin with the same bytes as the first, up to `head`. */
function behindRun(text: Buffer, from: number, head: number, to: number): number {
  const length = head - from;
  let at = from;
  do at = behindLine(text, at, to);
  while (at + length <= to && text.compare(text, from, head, at, at + length) === 0);
  return at;
}

function behindLine(text: Buffer, at: number, to: number): number {
  const end = text.indexOf(lineBreak, at);
  return end === -1 || end >= to ? to : end + 1;
}

/** Lines without their ends: one character is one byte. */
function linesIn(text: Buffer, { from, to }: Span): readonly string[] {
  if (from === to) return [];
  const lines = text.toString('latin1', from, to).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const lineBreak = 0x0a;
const blank = 0x20;
const hashSign = 0x23;
const star = 0x2a;
const dash = 0x2d;
const colon = 0x3a;
const letterA = 0x41;
const bracket = 0x5b;
