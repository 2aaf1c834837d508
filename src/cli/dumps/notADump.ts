import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DumpFile } from '../../dump/dumpFile.ts';
import { looksLike } from '../../dump/paste/looksLike.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

const ofNode = 'give the dumps of a node, or the folder that they are in';

/** Why files that should be dumps are not: they are empty, look like something else, or a line shows it. */
export function notADump(
  name: string,
  files: readonly DumpFile[],
  dump: NodeRules | undefined,
  wanted = 'rules',
): Diagnostic {
  if (files.length === 0)
    return { code: 'not-a-dump', severity: 'error', message: `${name} holds no files`, at: [], hint: ofNode };
  const first = dump?.unread[0];
  const seen = files.map(({ text }) => looksLike(text)).find((one) => one !== undefined);
  const isEmpty = files.length > 0 && files.every(({ text }) => text.trim() === '');
  const isOne = !name.includes(', ');
  const line = first ? ` (line ${first.line}: ${first.message})` : '';
  return {
    code: 'not-a-dump',
    severity: 'error',
    message: isEmpty
      ? `${name} ${isOne ? 'is' : 'are'} empty`
      : `${name} ${isOne ? 'holds' : 'hold'} no ${wanted}${seen ? `: it looks like ${seen.what}` : line}`,
    at: [],
    hint: seen?.instead ?? 'give what iptables-save, nft list ruleset, ipset save or ipvsadm -Sn prints on the node',
  };
}
