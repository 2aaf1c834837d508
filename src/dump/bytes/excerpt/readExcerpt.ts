import type { Family } from '../../../common/addresses/family.ts';
import { decodeLatin1 } from '../../../common/text/textBytes.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { dumpKind } from '../../dumpKind.ts';
import { unwrapText } from '../../paste/unwrapText.ts';
import { readDumps } from '../../readDumps.ts';
import { isPlainSave } from '../isPlainSave.ts';

/** A long dump of one file. */
export interface DumpName {
  readonly name: string;
  /** What the node is called in reports. */
  readonly node: string;
}

/** The same with its bytes. */
export interface DumpBytes extends DumpName {
  readonly bytes: Uint8Array | Promise<Uint8Array>;
}

/**
 * Reads what is left of a long iptables-save text. Undefined: it could be read in other ways, or copying has put
 * something around its lines.
 */
export function readExcerpt(
  { name, node }: DumpName,
  bytes: Uint8Array,
  family: Family | undefined,
): NodeRules | undefined {
  const text = decodeLatin1(bytes, 0, bytes.length);
  const isSave = dumpKind(text) === 'iptables' && isPlainSave(text) && isAscii.test(text) && unwrapText(text) === text;
  if (!isSave) return undefined;
  return readDumps([{ name, text, kind: 'iptables', isExcerpt: true }], { name: node, family });
}

const isAscii = /^[\0-\x7f]*$/;
