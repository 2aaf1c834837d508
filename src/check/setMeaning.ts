import { compareBytes } from '../common/compareBytes.ts';
import { canonicalSet } from '../netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../netfilter/ipset/parseIpset.ts';
import { printIpset } from '../netfilter/ipset/printIpset.ts';
import { parseIpvs } from '../netfilter/ipvs/parseIpvs.ts';
import { printIpvs } from '../netfilter/ipvs/printIpvs.ts';

/** `ipset save` and `ipvsadm -Sn`: every line says all of itself, so that sorted lines are the meaning. */
export function setMeaning(text: string, tool: 'ipset' | 'ipvsadm'): readonly string[] {
  const source = text.split('\n');
  const unread = new Set<number>();
  const report = ({ line }: { readonly line: number }) => unread.add(line);
  const printed =
    tool === 'ipset'
      ? printIpset({ kind: 'ipset', sets: parseIpset(text, report).sets.map(canonicalSet) })
      : printIpvs(parseIpvs(text, report));
  const lines = [...printed]
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return [...lines.sort(compareBytes), ...[...unread].map((line) => `unread: ${source[line - 1] ?? ''}`)];
}
