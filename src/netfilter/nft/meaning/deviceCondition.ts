import type { ValueRange } from '../../../common/ranges/valueRange.ts';
import { readMark } from '../../iptables/values/marks.ts';
import type { Condition, InterfaceName } from '../../meaning.ts';
import type { MatchStatement, Operand, Selector } from '../ast.ts';

/** `meta iiftype ether`, `iifgroup 5`: undefined where it is something else, or cannot be read. */
export function deviceCondition(key: string, { right, operator, mask }: MatchStatement): Condition | undefined {
  const [, letter, what] = /^([io])if(type|group)$/.exec(key) ?? [];
  const isPlain = (operator === '==' || operator === '!=') && mask === undefined;
  if (letter === undefined || !isPlain) return undefined;
  const side = letter === 'i' ? 'in' : 'out';
  const ranges = wordsOf(right)?.map((word) => (what === 'type' ? typeRange(word) : groupRange(word)));
  if (ranges === undefined || ranges.some((range) => range === undefined)) return undefined;
  const known = ranges as readonly ValueRange[];
  if (what === 'type') return { kind: 'deviceType', side, ranges: known };
  const groups = known.map(
    ({ first }): Condition => ({ kind: 'deviceGroup', side, value: Number(first), mask: 0xffffffff }),
  );
  return known.every(({ first, last }) => first === last) ? { kind: 'any', conditions: groups } : undefined;
}

/** `fib daddr . mark oifname "eth1"`, `fib saddr . iif oif missing`. */
export function routeDevice({ flags }: Extract<Selector, { kind: 'fib' }>, right: Operand): Condition | undefined {
  const words = wordsOf(right);
  const [first, ...more] = flags;
  if ((first !== 'saddr' && first !== 'daddr') || words === undefined) return undefined;
  const via = more.includes('iif') ? 'in' : more.includes('oif') ? 'out' : undefined;
  const asked: Extract<Condition, { kind: 'routeDevice' }> = {
    kind: 'routeDevice',
    end: first === 'saddr' ? 'source' : 'destination',
    ...(via && { via }),
    ...(more.includes('mark') && { usesMark: true }),
  };
  const [word] = words;
  if (word === 'exists' || word === '1') return asked;
  if (word === 'missing' || word === '0') return { kind: 'not', condition: asked };
  return { ...asked, names: words.map(nameOf) };
}

/** `socket transparent 1`; what another question would hold for depends on sockets that nobody shows. */
export function isTransparent({ left, right, operator }: MatchStatement): boolean {
  const isAsked = left.kind === 'socket' && left.key === 'transparent' && operator === '==';
  return isAsked && right.kind === 'value' && right.key[0] === '1';
}

function nameOf(word: string): InterfaceName {
  const isPrefix = word.endsWith('*') && !word.endsWith('\\*');
  return { text: isPrefix ? word.slice(0, -1) : word, isPrefix };
}

function wordsOf(operand: Operand): readonly string[] | undefined {
  if (operand.kind === 'value') return operand.key.length === 1 ? operand.key : undefined;
  if (operand.kind !== 'anonymousSet') return undefined;
  return operand.elements.every(({ length }) => length === 1) ? operand.elements.map(([word = '']) => word) : undefined;
}

function typeRange(word: string): ValueRange | undefined {
  const number = interfaceTypes.get(word) ?? (/^\d+$/.test(word) ? Number(word) : undefined);
  return number === undefined ? undefined : { first: number, last: number };
}

/** Other names than that of 0 are the node's own. */
function groupRange(word: string): ValueRange | undefined {
  const number = word === 'default' ? 0 : readMark(word);
  return number === undefined ? undefined : { first: number, last: number };
}

/** ARPHRD_ of the kernel, by the names of nft and of `ip link`. */
export const interfaceTypes: ReadonlyMap<string, number> = new Map([
  ['ether', 1],
  ['ppp', 512],
  ['ipip', 768],
  ['ipip6', 769],
  ['tunnel6', 769],
  ['loopback', 772],
  ['sit', 776],
  ['ipgre', 778],
  ['gre', 778],
  ['gre6', 823],
  ['none', 65_534],
]);
