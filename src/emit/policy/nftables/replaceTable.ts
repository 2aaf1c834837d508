import type { NftTable } from '../../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../../netfilter/nft/command.ts';
import { hookChains } from './hookChains.ts';

/**
 * Makes our table what it should be in one transaction, whether it is there or not. A packet on its way meanwhile is judged
 * by the old rules or by the new ones, never by a part of each:
 * - Base chains stay. A table that is deleted and made anew has two of each for a moment; the new one is empty for packets
 *   of now, the old one for packets of later, and a packet that meets both in between passes.
 * - All other names say contents. A look into a set or map sees the elements of the moment, also from an old rule: so old
 *   rules must look into old maps, which this leaves as they are.
 * A text cannot name what older rules left, which nothing asks any more; `renewTables` of our scripts takes it away.
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
