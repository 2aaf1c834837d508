import { compareBytes } from '../common/compareBytes.ts';
import { readDumps } from '../dump/readDumps.ts';
import { canonicalText } from '../node/canonicalText.ts';
import type { CheckCase } from './checkCase.ts';

/**
 * What a text says, as lines that are the same for all texts that say the same: the canonical text of the rules. Lines
 * that cannot be read stay as they are, so that they count. Texts of several tools (IPVS) are taken apart at their
 * headings.
 */
export function meaningOf(text: string, form: CheckCase['form']): readonly string[] {
  if (form === 'json') return jsonMeaning(text);
  return [...splitArtefacts(text)]
    .sort(([one], [other]) => compareBytes(one, other))
    .flatMap(([name, part]) => (name === '' ? rulesMeaning(name, part) : [`# ${name}`, ...rulesMeaning(name, part)]));
}

function rulesMeaning(name: string, text: string): readonly string[] {
  const node = readDumps([{ name, text }], { name });
  // The back end that saved them does not change what rules mean.
  const iptables = node.iptables.map(({ backend: _, ...rules }) => rules);
  const lines = [...canonicalText({ ...node, iptables })].join('').split('\n');
  return [...lines, ...node.unread.map((line) => `unread: ${line.text}`)];
}

/** `# ipset.v4.save` begins a part; the text of one tool has no such line and is a part without name. */
function splitArtefacts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const heading = /^# ((?:iptables|ipset|ipvsadm|addresses|nft)\.v[46](?:\.(?:save|restore))?)\r?$/gm;
  let name = '';
  let start = 0;
  for (const match of text.matchAll(heading)) {
    const before = text.slice(start, match.index);
    if (name !== '' || before.trim() !== '') parts.set(name, before);
    name = match[1] as string;
    start = match.index + match[0].length;
  }
  return parts.set(name, text.slice(start));
}

/** Members by name; the order of lists stays. */
function jsonMeaning(text: string): readonly string[] {
  try {
    return JSON.stringify(JSON.parse(text, sortMembers), null, 1).split('\n');
  } catch {
    return text.split('\n');
  }
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareBytes(one, other)));
}
