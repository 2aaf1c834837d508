import { Buffer } from 'node:buffer';
import { flowsIn, flowsOf } from './flows.ts';
import { isAt, nftForm } from './nftForm.ts';
import { saveForm, tablesIn } from './saveForm.ts';
import { changedSections, type SectionedText, sectionedText } from './sections.ts';
import { textChanges } from './textChanges.ts';
import type { ServicePlaces, TextForm, Touched } from './textParts.ts';

/** The output of one program, named as in an archive: `dumps/nft.txt`. */
export interface NodeText {
  readonly file: string;
  readonly bytes: Buffer;
}

/** All texts of a node, in a form that shows quickly what has changed since. */
export interface KnownTexts {
  readonly texts: ReadonlyMap<string, KnownText>;
}

type KnownText =
  | { readonly kind: 'sections'; readonly sectioned: SectionedText }
  /** A list of connections: what each way is to. */
  | { readonly kind: 'flows'; readonly flows: ReadonlyMap<string, string> }
  /** Any other text; its hash stays the same while there is nothing new to judge. */
  | { readonly kind: 'other'; readonly hash: string };

/** What texts of a node show since others of it were known. */
export interface TextsSince {
  /** Services that changed lines name, `namespace/name`. */
  readonly services: ReadonlySet<string>;
  /** Where connections go that are new or gone: `10.96.0.10 53`. */
  readonly flows: ReadonlySet<string>;
  /** Something changed that is of no one Service, in a few words. */
  readonly other: string | undefined;
  /** Nothing changed but what never matters. */
  readonly isSame: boolean;
  /** The texts themselves, known from now on. */
  readonly known: KnownTexts;
  /**
   * The part that is about some Services or about none. Undefined: changes are left that are neither of these Services
   * nor of any other that they name.
   */
  readonly part: (places: ServicePlaces) => readonly NodeText[] | undefined;
}

/** `hashOf`: what a text must be judged again for. */
export function knownTexts(files: readonly NodeText[], hashOf: (file: NodeText) => string): KnownTexts {
  const texts = new Map(files.map((file) => [file.file, knownText(file, hashOf)] as const));
  return { texts };
}

/** Texts that are looked through part by part. */
export interface TextPortions {
  /** The part that is about some Services or about none. */
  readonly part: (places: ServicePlaces) => readonly NodeText[];
  /** Whether each line that is of a Service was in one of these parts. */
  readonly isComplete: () => boolean;
}

export function textPortions({ texts }: KnownTexts, files: readonly NodeText[]): TextPortions {
  const cut: (CutText & { readonly claimed: Uint8Array })[] = [];
  for (const { file } of inOrder(files)) {
    const known = texts.get(file);
    if (known?.kind !== 'sections') continue;
    const { sectioned: text } = known;
    const form = formOf(file, () => copiesIn(cut)) as TextForm;
    cut.push({ file, form, text, claimed: new Uint8Array(text.sections.starts.length) });
  }
  return {
    part: (places) => {
      const { parts, ofServices } = partOf(files, cut, places);
      for (const [number, { claimed }] of cut.entries()) claim(claimed, ofServices[number] as Uint8Array);
      return parts;
    },
    isComplete: () =>
      cut.every(({ form, text, claimed }) =>
        text.sections.kinds.every((kind, at) => claimed[at] === 1 || !form.isOfService(kind)),
      ),
  };
}

/** Undefined: the texts are other ones, or too different. */
export function textsSince(
  { texts: before }: KnownTexts,
  files: readonly NodeText[],
  hashOf: (file: NodeText) => string,
): TextsSince | undefined {
  // A list of no connections is no file at all.
  const lasting = files.map(({ file }) => file).filter(isLasting);
  if (lasting.length !== [...before.keys()].filter(isLasting).length) return undefined;
  if (!lasting.every((file) => before.has(file))) return undefined;
  const touched: Touched = {
    services: new Set(),
    chains: new Set(),
    elements: new Set(),
    flows: new Set(),
    other: undefined,
  };
  const texts = new Map<string, KnownText>();
  for (const [file, old] of before)
    if (old.kind === 'flows' && !files.some((one) => one.file === file)) touchFlows(old.flows, new Map(), touched);
  const cut: (CutText & { readonly before: SectionedText })[] = [];
  for (const file of inOrder(files)) {
    const old = before.get(file.file);
    if (old?.kind !== 'sections') {
      const now = knownText(file, hashOf);
      texts.set(file.file, now);
      if (now.kind === 'flows') touchFlows(old?.kind === 'flows' ? old.flows : new Map(), now.flows, touched);
      else if (now.kind !== 'other' || old?.kind !== 'other' || now.hash !== old.hash) touched.other ??= file.file;
      continue;
    }
    const { sectioned: own } = old;
    const form = formOf(file.file, () => copiesIn(cut)) as TextForm;
    const changes = textChanges(own.text, file.bytes);
    const text = changes?.length === 0 ? own : changes && changedSections(own, file.bytes, changes, form.find);
    if (changes === undefined || text === undefined) return undefined;
    form.touch(own, text, changes, touched);
    texts.set(file.file, { kind: 'sections', sectioned: text });
    cut.push({ file: file.file, form, before: own, text });
  }
  const part = (places: ServicePlaces) => {
    const left = new Set(touched.chains);
    const cover = (chains: ReadonlySet<string>) => {
      for (const chain of chains) left.delete(chain);
    };
    const { parts, chains } = partOf(files, cut, places);
    cover(chains);
    // Of endpoints that are gone, only the texts of before show whose they were.
    for (const { form, before: old, text } of cut)
      if (left.size > 0 && old !== text) cover(form.part(old, places).chains);
    const isCovered = left.size === 0 && [...touched.elements].every((element) => isAt(element, places));
    return isCovered ? parts : undefined;
  };
  const { services, chains, elements, flows, other } = touched;
  const isSame = other === undefined && services.size + chains.size + elements.size + flows.size === 0;
  return { services, flows, other, isSame, known: { texts }, part };
}

function claim(claimed: Uint8Array, own: Uint8Array): void {
  for (let at = 0; at < own.length; at += 1) if (own[at] === 1) claimed[at] = 1;
}

/** Connections come and go, and so does the list of them. */
function isLasting(file: string): boolean {
  return !/conntrack/.test(file);
}

function touchFlows(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, { flows }: Touched): void {
  for (const [way, to] of before) if (!after.has(way)) flows.add(to);
  for (const [way, to] of after) if (!before.has(way)) flows.add(to);
}

/** A text that is cut into sections. */
interface CutText {
  readonly file: string;
  readonly form: TextForm;
  readonly text: SectionedText;
}

function partOf(files: readonly NodeText[], cut: readonly CutText[], places: ServicePlaces) {
  const parts = new Map(
    files.map((file) => [file.file, isLasting(file.file) ? file : flowPart(file, places)] as const),
  );
  const chains = new Set<string>();
  const ofServices: Uint8Array[] = [];
  for (const { file, form, text } of cut) {
    const own = form.part(text, places);
    for (const chain of own.chains) chains.add(chain);
    ofServices.push(own.ofServices);
    const pieces = own.spans.map((span) =>
      typeof span === 'string' ? Buffer.from(span, 'latin1') : text.text.subarray(span.from, span.to),
    );
    parts.set(file, { file, bytes: Buffer.concat(pieces) });
  }
  return { parts: [...parts.values()], chains, ofServices };
}

function flowPart({ file, bytes }: NodeText, places: ServicePlaces): NodeText {
  return { file, bytes: Buffer.from(flowsOf(bytes.toString('latin1'), places), 'latin1') };
}

/** What iptables-save shows decides what of nft's text is a copy. */
function inOrder(files: readonly NodeText[]): readonly NodeText[] {
  return [...files].sort((one, other) => Number(isNft(one)) - Number(isNft(other)));
}

function knownText(file: NodeText, hashOf: (file: NodeText) => string): KnownText {
  if (!isLasting(file.file)) return { kind: 'flows', flows: flowsIn(file.bytes.toString('latin1')) };
  const form = formOf(file.file, () => new Set());
  const sectioned = form && sectionedText(file.bytes, form.find);
  return sectioned === undefined ? { kind: 'other', hash: hashOf(file) } : { kind: 'sections', sectioned };
}

function formOf(file: string, copies: () => ReadonlySet<string>): TextForm | undefined {
  if (/^dumps\/iptables\..*save$/.test(file)) return saveForm;
  return isNft({ file }) ? nftForm(copies()) : undefined;
}

function isNft({ file }: Pick<NodeText, 'file'>): boolean {
  return file === 'dumps/nft.txt';
}

/** Tables of iptables-nft, which `nft list ruleset` prints once more: `ip nat`. */
function copiesIn(cut: readonly CutText[]): ReadonlySet<string> {
  const copies = new Set<string>();
  for (const { file, text } of cut) {
    const [, backend, version] = /^dumps\/iptables\.(?:(\w+)\.)?v([46])\.save$/.exec(file) ?? [];
    // Without a back end in its name, the program says in its first line which one it is.
    const isCopied =
      backend === 'nft' || (backend === undefined && text.text.toString('latin1', 0, 200).includes('nf_tables'));
    if (!isCopied) continue;
    for (const table of tablesIn(text)) copies.add(`${version === '4' ? 'ip' : 'ip6'} ${table}`);
  }
  return copies;
}
