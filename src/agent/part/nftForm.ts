import { Buffer } from 'node:buffer';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import { nftChainName } from '../../seen/names/nftChainName.ts';
import { serviceOfElement } from '../../seen/names/serviceOfElement.ts';
import {
  type AddSection,
  hashOfName,
  namedSections,
  type SectionedText,
  sectionAt,
  sectionEnd,
  sectionText,
} from './sections.ts';
import type { Span, TextChange } from './textChanges.ts';
import { firstChange, type ServicePlaces, spanList, type TextForm, type TextPart, type Touched } from './textParts.ts';

/**
 * What `nft list ruleset` prints. Its sections: heads of tables, and each chain, set or map. `copies` are tables that
 * iptables-nft-save prints too, which are left out.
 */
export function nftForm(copies: ReadonlySet<string>): TextForm {
  return {
    find: findSections,
    touch: (before, after, changes, touched) => touch(before, after, changes, copies, touched),
    part: (text, places) => part(text, places, copies),
    isOfService: (kind) => kindOf(kind) >= kinds.service,
  };
}

/** From `service` on, only what belongs to some Services is part of them. */
const kinds = { other: 0, table: 1, opening: 2, closing: 3, nodeElement: 4, service: 5, element: 6 } as const;
/** Added to the kind: the section is in kube-proxy's table, and in a set whose elements are of Services without naming one. */
const marks = { ofProxy: 8, ofEndpoints: 16 } as const;

const kindOf = (section: number) => section & ~(marks.ofProxy | marks.ofEndpoints);

function findSections(text: Buffer, from: number, to: number, before: number, add: AddSection): boolean {
  let state = before & (marks.ofProxy | marks.ofEndpoints);
  let isOpen = false;
  let isInside = isInElements(kindOf(before));
  for (let at = from; at < to; ) {
    if (isInside) {
      at = findElements(text, at, to, state, add);
      isInside = false;
      isOpen = true;
      continue;
    }
    const found = text.indexOf(lineBreak, at);
    const end = found === -1 || found >= to ? to : found;
    const code = text[at];
    if (code !== tab && code !== lineBreak && code !== closingBrace) {
      const table = tableIn(text.toString('latin1', at, end));
      state = table !== undefined && isProxyTable(table) ? marks.ofProxy : 0;
      add(at, 0, (table === undefined ? kinds.other : kinds.table) | state);
      isOpen = true;
    } else if (code === closingBrace) {
      add(at, 0, kinds.other | state);
      state = 0;
      isOpen = true;
    } else if (text[end - 1] === brace && text[at + 1] !== tab) {
      const head = text.toString('latin1', at + 1, end - 2);
      const name = head.slice(head.indexOf(' ') + 1);
      const service = (state & marks.ofProxy) === 0 ? undefined : nftChainName(name)?.service;
      state = (state & marks.ofProxy) | (ofEndpoints.test(head) ? marks.ofEndpoints : 0);
      if (service === undefined) add(at, 0, kinds.other | state);
      else add(at, hashOfName(service), kinds.service | state);
      isOpen = true;
    } else if ((state & marks.ofProxy) !== 0 && isOpening(text, at)) {
      add(at, 0, kinds.opening | state);
      at += opening.length;
      isInside = true;
      continue;
    } else if (!isOpen) {
      return false;
    }
    at = end + 1;
  }
  return true;
}

/** Sets of addresses that belong to Services although no element names one; those of others are the node's. */
const ofEndpoints = /^set (?:cluster-ips|hairpin-connections)$/;

const opening = '\t\telements = { ';
const openingBytes = Buffer.from(opening);

function isOpening(text: Buffer, at: number): boolean {
  const end = at + opening.length;
  return end <= text.length && text.compare(openingBytes, 0, opening.length, at, end) === 0;
}

function isInElements(kind: number): boolean {
  return kind === kinds.opening || kind === kinds.element || kind === kinds.nodeElement;
}

/** Returns the place behind the line that ends them. */
function findElements(text: Buffer, from: number, to: number, state: number, add: AddSection): number {
  let at = from;
  while (at < to && text[at] !== closingBrace) {
    let end = at;
    while (end < to && text[end] !== comma && text[end] !== closingBrace) end += 1;
    const element = text.toString('latin1', at, end);
    const service = serviceInElement(element);
    if (service !== undefined) add(at, hashOfName(service), kinds.element | state);
    else if ((state & marks.ofEndpoints) !== 0) add(at, hashOfName(placeIn(element)), kinds.element | state);
    else add(at, 0, kinds.nodeElement | state);
    if (text[end] === comma) end += 1;
    while (end < to && isBlank(text[end] as number)) end += 1;
    at = end;
  }
  if (at >= to) return to;
  add(at, 0, kinds.closing | state);
  const end = text.indexOf(lineBreak, at);
  return end === -1 ? to : end + 1;
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
  const balances = new Map<string, Touching & { balance: number }>();
  const count = (touching: Touching, sign: 1 | -1) => {
    const key = `${touching.set}\n${touching.element}`;
    const known = balances.get(key) ?? { ...touching, balance: 0 };
    known.balance += sign;
    balances.set(key, known);
  };
  for (const change of changes) {
    const gone = touchSections(before, change.before, copies, to, (element) => count(element, -1));
    const come = touchSections(after, change.after, copies, to, (element) => count(element, 1));
    // A change reaches over blocks that stay, where their lines are not the only ones of their kind.
    const block = firstChange(gone, come);
    if (block !== undefined) to.other ??= headIn(block);
  }
  for (const { element, set, isOfEndpoints, balance } of balances.values()) {
    // A line of several elements shifts the lines behind it.
    if (balance === 0) continue;
    const service = serviceInElement(element);
    if (service !== undefined) to.services.add(service);
    else if (isOfEndpoints) to.elements.add(element);
    else to.other ??= `${set}: ${element}`;
  }
}

/** An element in changed lines. */
interface Touching {
  /** `table ip kube-proxy set cluster-ips`. */
  readonly set: string;
  readonly element: string;
  readonly isOfEndpoints: boolean;
}

/** Returns the texts of those that are of no Service. */
function touchSections(
  text: SectionedText,
  { from, to: end }: Span,
  copies: ReadonlySet<string>,
  to: Touched,
  count: (touching: Touching) => void,
): readonly string[] {
  const { starts, kinds: all } = text.sections;
  const blocks: string[] = [];
  let set: string | undefined;
  for (let at = sectionAt(text.sections, from); from < end && (starts[at] ?? end) < end; at += 1) {
    const kind = kindOf(all[at] as number);
    if (kind === kinds.service) to.services.add(serviceInHead(sectionText(text, at)) ?? '');
    else if (kind === kinds.element || kind === kinds.nodeElement) {
      const element = elementIn(sectionText(text, at));
      // A line begins within the blanks behind the element of the line before.
      if ((starts[at] as number) + element.length < from) continue;
      set ??= setOf(text, at);
      count({ set, element, isOfEndpoints: kind === kinds.element });
    } else if (kind === kinds.closing) {
      if (!/^\}\n\t\}\n\n?$/.test(sectionText(text, at))) to.other ??= 'the end of a set';
      set = undefined;
    } else if (kind !== kinds.opening && !copies.has(tableOf(text, at) ?? '')) {
      blocks.push(sectionText(text, at));
    }
  }
  return blocks;
}

function setOf(text: SectionedText, element: number): string {
  let head = element;
  while (head > 0 && kindOf(text.sections.kinds[head] as number) !== kinds.other) head -= 1;
  return `${tableOf(text, head)} ${headIn(sectionText(text, head))}`;
}

function part(text: SectionedText, places: ServicePlaces, copies: ReadonlySet<string>): TextPart {
  const { starts, kinds: all } = text.sections;
  const isKept = new Uint8Array(starts.length);
  const keep = (kind: number, wanted: ReadonlySet<string>, nameIn: (text: string) => string) => {
    for (const at of namedSections(text, kind, wanted, nameIn)) isKept[at] = 1;
  };
  const byPlace = new Set([...places.addresses, ...places.endpoints]);
  keep(kinds.service | marks.ofProxy, places.services, (own) => serviceInHead(own) ?? '');
  keep(kinds.element | marks.ofProxy, places.services, (own) => serviceInElement(own) ?? '');
  keep(kinds.element | marks.ofProxy | marks.ofEndpoints, byPlace, (own) => placeIn(elementIn(own)));
  const list = spanList();
  let isCopy = false;
  let elements: string[] = [];
  for (let at = 0; at < starts.length; at += 1) {
    const kind = kindOf(all[at] as number);
    if (kind === kinds.table) isCopy = copies.has(tableOf(text, at) ?? '');
    // The end of a table is a section of its own.
    if (isCopy) continue;
    if (kind === kinds.element || kind === kinds.service || kind === kinds.nodeElement) {
      if (isKept[at] !== 1 && kind !== kinds.nodeElement) continue;
      if (kind === kinds.service) list.add(starts[at] as number, sectionEnd(text, at));
      else elements.push(elementIn(sectionText(text, at)));
    } else if (kind === kinds.closing) {
      if (elements.length > 0) list.addText(`${opening}${elements.join(separator)} }`);
      elements = [];
      list.add((starts[at] as number) + 1, sectionEnd(text, at));
    } else if (kind !== kinds.opening) {
      list.add(starts[at] as number, sectionEnd(text, at));
    }
  }
  return { spans: list.spans, chains: new Set(), ofServices: isKept };
}

const separator = ',\n\t\t\t     ';

/** Of `chain service-2QRHZV4L-shop/web/tcp/http {` or such a set. */
function serviceInHead(text: string): string | undefined {
  return nftChainName(headIn(text).split(' ')[1] ?? '')?.service;
}

function headIn(text: string): string {
  return (text.split('\n', 1)[0] as string).replace(/ \{$/, '').trim();
}

function tableOf(text: SectionedText, at: number): string | undefined {
  for (let head = at; head >= 0; head -= 1)
    if (kindOf(text.sections.kinds[head] as number) === kinds.table)
      return headIn(sectionText(text, head)).slice('table '.length);
  return undefined;
}

function elementIn(text: string): string {
  return text.replace(/,?\s*$/, '');
}

/** Whether an element that names no Service has an address of some: `10.96.0.1`, `10.244.1.7 . 10.244.1.7 . tcp . 80`. */
export function isAt(element: string, { addresses, endpoints }: ServicePlaces): boolean {
  const place = placeIn(element);
  return addresses.has(place) || endpoints.has(place);
}

/** `10.96.0.1`, or the first address and the port: `10.244.1.7 80`. */
function placeIn(element: string): string {
  const end = element.indexOf(' : ');
  const key = (end === -1 ? element : element.slice(0, end)).trim();
  const first = key.indexOf(' ');
  const last = key.lastIndexOf(' . ');
  return last === -1 ? key : `${key.slice(0, first)} ${key.slice(last + 3)}`;
}

function serviceInElement(element: string): string | undefined {
  const chain = /\bgoto (\S+?),?(?:\s|$)/.exec(element)?.[1] ?? '';
  const comment = element.includes('comment') ? /\bcomment "([^"]*)"/.exec(element)?.[1] : undefined;
  return serviceOfElement(chain, comment ?? '');
}

function isBlank(code: number): boolean {
  return code === tab || code === lineBreak || code === blank;
}

const tab = 0x09;
const lineBreak = 0x0a;
const blank = 0x20;
const comma = 0x2c;
const brace = 0x7b;
const closingBrace = 0x7d;
