import type { NftTable } from '../../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../../netfilter/nft/command.ts';
import { hookChains } from './hookChains.ts';

/**
 * Brings our table to the wanted state in one transaction, whether or not it exists. A packet that is on its way is judged
 * by the old rules or by the new ones, never by parts of both:
 * - Base chains stay. If a table is deleted and created again, there are two of each for a moment: the new one is empty for
 *   earlier packets, the old one for later packets, and a packet that meets both in between passes.
 * - All other names depend on the contents. A look-up in a set or map sees its present elements, even from an old rule:
 *   old rules must therefore look into old maps, which this leaves as they are.
 * A text cannot name the remains of older rules, which nothing uses any more; `renewTables` of our scripts removes them.
 */
export function replaceTable(table: NftTable): readonly NftCommand[] {
  const place = { family: table.family, table: table.name } as const;
  const bases = table.chains.flatMap(({ name, base }) => (base === undefined ? [] : [{ name, base }]));
  const kept: ReadonlySet<string> = new Set(bases.map(({ name }) => name));
  const ofOtherHook = Object.values(hookChains).flatMap((names) =>
    Object.values(names).filter((name) => !kept.has(name)),
  );
  return [
    { object: 'table', verb: 'add', ...place, ...(table.comment === undefined ? {} : { comment: table.comment }) },
    ...bases.map((chain) => ({ object: 'chain', verb: 'add', ...place, ...chain }) as const),
    ...table.sets.map((set) => ({ object: 'set', verb: 'add', ...place, set }) as const),
    { object: 'table', verb: 'flush', ...place },
    ...table.sets.map(({ kind, name }) => ({ object: 'set', verb: 'flush', ...place, setKind: kind, name }) as const),
    // What is not there cannot be deleted, so it is added first.
    ...ofOtherHook.flatMap((name) => [
      { object: 'chain', verb: 'add', ...place, name } as const,
      { object: 'chain', verb: 'delete', ...place, name } as const,
    ]),
    { object: 'block', verb: 'add', ...place, content: table },
  ];
}
