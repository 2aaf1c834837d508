import { compareBytes } from '../common/compareBytes.ts';
import type { CheckCase } from './checkCase.ts';
import { iptablesMeaning } from './iptablesMeaning.ts';
import { nftMeaning } from './nftMeaning.ts';
import { setMeaning } from './setMeaning.ts';

/**
 * What a text says, as lines that are the same for all texts that say the same: rules in the kernel's spelling, tables,
 * chains and sets by name, counters and `#` lines left out. Lines that cannot be read stay as they are, so that they
 * count. Texts of several tools (IPVS) are taken apart at their headings.
 */
export function meaningOf(text: string, form: CheckCase['form']): readonly string[] {
  if (form === 'json') return jsonMeaning(text);
  const parts = splitArtefacts(text);
  return [...parts]
    .sort(([one], [other]) => compareBytes(one, other))
    .flatMap(([name, part]) => {
      const meaning = meaningOfPart(name, part, form);
      return name === '' ? meaning : [`# ${name}`, ...meaning];
    });
}

function meaningOfPart(name: string, text: string, form: CheckCase['form']): readonly string[] {
  switch (toolOf(name, text)) {
    case 'nft':
      return nftMeaning(text, form === 'restore');
    case 'ipset':
    case 'ipvsadm':
      return setMeaning(text, name.startsWith('ipset') ? 'ipset' : 'ipvsadm');
    case 'addresses':
      return [
        ...new Set(
          text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        ),
      ].sort(compareBytes);
    default:
      return iptablesMeaning(text, name.includes('.v6') ? 'ipv6' : undefined);
  }
}

function toolOf(name: string, text: string): string {
  const tool = name.slice(0, name.indexOf('.'));
  if (tool !== '') return tool;
  return /^\s*(?:#[^\n]*\n\s*)*(?:add |table |destroy |flush |delete )/.test(text) ? 'nft' : 'iptables';
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
