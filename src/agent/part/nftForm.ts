import type { Buffer } from 'node:buffer';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import { nftChainName } from '../../seen/names/nftChainName.ts';
import { readServicePortName } from '../../seen/names/readServicePortName.ts';
import { hashOfName, type SectionedText, sectionAt, sectionEnd, sectionText } from './sections.ts';
import type { Span, TextChange } from './textChanges.ts';
import { type ServicePlaces, spanList, type TextForm, type TextPart, type Touched } from './textParts.ts';

/**
 * What `nft list ruleset` prints. Its sections: heads of tables, and each chain, set or map. `copies` are tables that
 * iptables-nft-save prints too, which are left out.
 */
export function nftForm(copies: ReadonlySet<string>): TextForm {
  return {
    find: findSections,
    touch: (before, after, changes, touched) => touch(before, after, changes, copies, touched),
    part: (text, places) => part(text, places, copies),
  };
}

/** `ofProxy` is added to what stands in kube-proxy's table. */
const kinds = { other: 0, table: 1, service: 2, set: 3, ofProxy: 8 } as const;

function findSections(
  text: Buffer,
  from: number,
  to: number,
  before: number,
  add: (start: number, name: number, kind: number) => void,
): boolean {
  let ofProxy = before & kinds.ofProxy;
  let isOpen = false;
  for (let at = from; at < to; ) {
    const found = text.indexOf(lineBreak, at);
    const end = found === -1 || found >= to ? to : found;
    const code = text[at];
    if (code !== tab && code !== lineBreak) {
      const table = tableIn(text.toString('latin1', at, end));
      ofProxy = table !== undefined && isProxyTable(table) ? kinds.ofProxy : 0;
      add(at, table === undefined ? 0 : hashOfName(table), (table === undefined ? kinds.other : kinds.table) | ofProxy);
      isOpen = true;
    } else if (text[end - 1] === brace && text[at + 1] !== tab) {
      const [word = '', name = ''] = text.toString('latin1', at + 1, end).split(' ');
      const service = ofProxy === 0 ? undefined : nftChainName(name)?.service;
      const kind = service !== undefined ? kinds.service : word === 'chain' ? kinds.other : kinds.set;
      add(at, hashOfName(service ?? name), kind | ofProxy);
      isOpen = true;
    } else if (!isOpen) {
      return false;
    }
    at = end + 1;
  }
  return true;
}

/** The table whose head a line is: `ip kube-proxy`. */
function tableIn(line: string): string | undefined {
  return /^table (\S+ \S+) \{$/.exec(line)?.[1];
}

function touch(
  before: SectionedText,
  after: SectionedText,
  changes: readonly TextChange[],
  copies: ReadonlySet<string>,
  to: Touched,
): void {
  const sets = new Set<string>();
  for (const change of changes) {
    touchSections(before, change.before, copies, sets, to);
    touchSections(after, change.after, copies, sets, to);
  }
  for (const set of sets) {
    const [old, own] = [before, after].map((text) => new Set(elementsOfSet(text, set)));
    for (const element of [...(old ?? []), ...(own ?? [])]) {
      if (old?.has(element) && own?.has(element)) continue;
      const service = serviceInElement(element);
      if (service === undefined) to.elements.add(element);
      else to.services.add(service);
    }
  }
}

/** Sets of kube-proxy that changed go to `sets`, as `ip kube-proxy set cluster-ips`. */
function touchSections(
  text: SectionedText,
  { from, to: end }: Span,
  copies: ReadonlySet<string>,
  sets: Set<string>,
  to: Touched,
): void {
  const { starts, kinds: all } = text.sections;
  for (let at = sectionAt(text.sections, from); from < end && (starts[at] ?? end) < end; at += 1) {
    const kind = all[at] as number;
    if (kind === (kinds.service | kinds.ofProxy)) to.services.add(serviceOf(text, at) as string);
    else if (kind === (kinds.set | kinds.ofProxy)) sets.add(`${tableOf(text, at)} ${headOf(text, at)}`);
    else if (!copies.has(tableOf(text, at) ?? '')) to.other ??= headOf(text, at);
  }
}

function part(text: SectionedText, places: ServicePlaces, copies: ReadonlySet<string>): TextPart {
  const { starts, names, kinds: all } = text.sections;
  const hashes = new Set([...places.services].map(hashOfName));
  const list = spanList();
  let isCopy = false;
  for (let at = 0; at < starts.length; at += 1) {
    const kind = all[at] as number;
    if ((kind & ~kinds.ofProxy) === kinds.table) isCopy = copies.has(tableOf(text, at) ?? '');
    // The end of a table is a section of its own.
    if (isCopy) continue;
    if (kind === (kinds.service | kinds.ofProxy)) {
      if (!hashes.has(names[at] as number) || !places.services.has(serviceOf(text, at) as string)) continue;
    } else if (kind === (kinds.set | kinds.ofProxy)) {
      list.addText(withoutOtherElements(utf8(text, at), places));
      continue;
    }
    list.add(starts[at] as number, sectionEnd(text, at));
  }
  return { spans: list.spans, chains: new Set() };
}

function utf8(text: SectionedText, at: number): string {
  return text.text.toString('utf8', text.sections.starts[at], sectionEnd(text, at));
}

function serviceOf(text: SectionedText, at: number): string | undefined {
  return nftChainName(headOf(text, at).split(' ')[1] ?? '')?.service;
}

/** `chain service-2QRHZV4L-shop/web/tcp/http`, or the head of a table. */
function headOf({ text, sections }: SectionedText, at: number): string {
  const start = sections.starts[at] as number;
  const end = text.indexOf(lineBreak, start);
  return text
    .toString('latin1', start, end === -1 ? text.length : end)
    .replace(/ \{$/, '')
    .trim();
}

function tableOf(text: SectionedText, at: number): string | undefined {
  for (let head = at; head >= 0; head -= 1)
    if (((text.sections.kinds[head] as number) & ~kinds.ofProxy) === kinds.table)
      return headOf(text, head).slice('table '.length);
  return undefined;
}

function elementsOfSet(text: SectionedText, set: string): readonly string[] {
  for (let at = 0; at < text.sections.starts.length; at += 1) {
    if (text.sections.kinds[at] !== (kinds.set | kinds.ofProxy)) continue;
    if (`${tableOf(text, at)} ${headOf(text, at)}` === set) return elementsIn(sectionText(text, at)).elements;
  }
  return [];
}

interface Elements {
  readonly elements: readonly string[];
  /** The text in front of them, and behind. */
  readonly around: readonly [string, string];
}

const opening = 'elements = {';

function elementsIn(text: string): Elements {
  const start = text.indexOf(opening);
  const end = text.indexOf('}', start + opening.length);
  if (start === -1 || end === -1) return { elements: [], around: [text, ''] };
  const inside = text.slice(start + opening.length, end);
  const elements = inside.split(',').map((element) => element.trim());
  return { elements, around: [text.slice(0, start), text.slice(end + 1)] };
}

function withoutOtherElements(text: string, places: ServicePlaces): string {
  const { elements, around } = elementsIn(text);
  const kept = elements.filter((element) => isAbout(element, places));
  const [before, after] = around;
  return kept.length === 0 ? before + after : `${before}${opening} ${kept.join(',\n\t\t\t     ')} }${after}`;
}

function isAbout(element: string, places: ServicePlaces): boolean {
  const service = serviceInElement(element);
  return service === undefined ? isAt(element, places) : places.services.has(service);
}

/** Whether an element that names no Service has an address of some: `10.96.0.1`, `10.244.1.7 . 10.244.1.7 . tcp . 80`. */
export function isAt(element: string, { addresses, endpoints }: ServicePlaces): boolean {
  const key = element.split(' : ', 1)[0] as string;
  const parts = key.split(' . ').map((part) => part.trim().split(' ', 1)[0] as string);
  const [address = ''] = parts;
  return addresses.has(address) || endpoints.has(`${address} ${parts.at(-1)}`);
}

/** The Service that an element of kube-proxy's maps leads to, or that its comment names. */
function serviceInElement(element: string): string | undefined {
  const chain = /\bgoto (\S+)/.exec(element)?.[1] ?? '';
  const comment = /\bcomment "([^"]*)"/.exec(element)?.[1] ?? '';
  return (nftChainName(chain) ?? readServicePortName(comment))?.service;
}

const tab = 0x09;
const lineBreak = 0x0a;
const brace = 0x7b;
