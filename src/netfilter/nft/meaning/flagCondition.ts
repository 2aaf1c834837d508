import type { Condition, ConnectionState } from '../../meaning.ts';
import type { Selector } from '../ast.ts';
import { stateBits } from './connectionBits.ts';
import type { FlagTest } from './flagTest.ts';
import { isConnectionStatus } from './isConnectionStatus.ts';
import { flagBits } from './keyMeaning.ts';

/** What a test of bits asks; undefined: a bit that is not known, or one of a connection that nobody can tell. */
export function flagCondition(left: Selector, test: FlagTest): Condition | undefined {
  const condition =
    left.kind === 'payload' ? tcpFlags(test) : left.kind === 'ct' && left.key === 'state' ? state(test) : status(test);
  return condition && test.isUnequal ? { kind: 'not', condition } : condition;
}

function tcpFlags({ mask, flags }: FlagTest): Condition | undefined {
  const [bits, wanted] = [mask && sum(mask, flagBits), sum(flags, flagBits)];
  if (wanted === undefined || (mask !== undefined && bits === undefined)) return undefined;
  const ranges = [{ first: wanted, last: wanted }];
  return { kind: 'values', field: 'tcpFlags', ...(bits !== undefined && { mask: bits }), ranges };
}

/** A connection has one state: several of them at once, never. */
function state({ mask, flags }: FlagTest): Condition | undefined {
  const bitOf = (name: string) => stateBits.get(name) ?? flagBits(name);
  const [bits = mask === undefined ? allBits : undefined, wanted] = [mask && sum(mask, bitOf), sum(flags, bitOf)];
  if (bits === undefined || wanted === undefined) return undefined;
  const holding = [...stateBits].filter(([, bit]) => (bit & bits) === wanted);
  return { kind: 'state', states: holding.map(([name]) => name as ConnectionState) };
}

const allBits = 0xffffffff;

function status({ mask, flags }: FlagTest): Condition | undefined {
  // What is translated, assured or answered has further bits: that its connection is known, or that NAT has seen it.
  if (mask === undefined) return flags.some((flag) => neverAlone.has(flag)) ? { kind: 'never' } : undefined;
  if (!mask.every(isConnectionStatus) || !flags.every(isConnectionStatus)) return undefined;
  if (flags.some((flag) => !mask.includes(flag))) return { kind: 'never' };
  return {
    kind: 'all',
    conditions: mask.map((one): Condition => {
      const condition: Condition = { kind: 'status', statuses: [one] };
      return flags.includes(one) ? condition : { kind: 'not', condition };
    }),
  };
}

const neverAlone: ReadonlySet<string> = new Set(['snat', 'dnat', 'assured', 'seen-reply']);
function sum(names: readonly string[], bitOf: (name: string) => number | undefined): number | undefined {
  const bits = names.map(bitOf);
  return bits.every((bit) => bit !== undefined) ? bits.reduce<number>((all, bit) => all | (bit ?? 0), 0) : undefined;
}
