import { readMark } from '../../iptables/values/marks.ts';
import type { Condition, Key, Step, Zone } from '../../meaning.ts';
import type { AssignStatement, NftElement, Selector } from '../ast.ts';
import { dependencies } from '../canonical/dependencies.ts';
import { writeSelector } from '../selector.ts';
import { classOf, ecnOf, keyOf } from './keyMeaning.ts';
import { elementsOf } from './statementMeaning.ts';

/** What `… set …` does: to marks, zones and headers that rules ask for; what no rule asks for is passed over. */
export function assignMeaning(statement: AssignStatement, family: string): readonly Step[] {
  const { source, target, operation, map } = statement;
  const from = source ?? (operation === '=' ? undefined : target);
  const asked = [...ofTarget(target, family), ...(from === undefined ? [] : dependencies(from, family))];
  return [
    ...asked.map((condition): Step => ({ kind: 'ask', condition })),
    map ? lookup(statement) : assigned(statement),
  ];
}

/** A header is there, or the rule ends; what packets without a connection lack the kernel passes over. */
function ofTarget(target: Selector, family: string): readonly Condition[] {
  return target.kind === 'payload' || target.kind === 'tcpOption' ? dependencies(target, family) : [];
}

/** Of an element of a map that gives marks. */
export function markOfElement({ value }: NftElement): number | undefined {
  return readMark(value?.[0] ?? '');
}

function lookup(statement: AssignStatement): Step {
  const { source, target, map } = statement;
  const to = markOf(target);
  if (to === undefined && isHarmless(statement)) return note(target);
  if (to === undefined || source === undefined || map === undefined) return unknown(statement);
  const key: Key = keyOf(source);
  const found = map.kind === 'namedMap' ? map.name : elementsOf(map.elements, key, markOfElement);
  return found === undefined ? unknown(statement) : { kind: 'assignFrom', target: to, key, map: found };
}

function assigned(statement: AssignStatement): Step {
  const { target, source, mask, operation, value } = statement;
  if (target.kind === 'ct' && target.key === 'zone') return zone(statement);
  const to = markOf(target);
  if (to === undefined) return header(statement) ?? (isHarmless(statement) ? note(target) : unknown(statement));
  const flip = Number(value) >>> 0;
  if (!/^(?:\d+|0x[0-9a-f]+)$/i.test(value)) return unknown(statement);
  if (operation === '=') return { kind: 'assign', target: to, keep: 0, take: 0, flip };
  const from = source === undefined ? to : markOf(source);
  if (from === undefined) {
    const [part] = source === undefined ? [] : keyOf(source);
    const isDrawn = part?.kind === 'generator' && part.modulus <= mostNumbers && flip === 0 && mask === undefined;
    return isDrawn ? { kind: 'assignFrom', target: to, key: [part] } : unknown(statement);
  }
  const bits = mask === undefined ? 0xffffffff : (readMark(mask) ?? Number.NaN);
  if (Number.isNaN(bits)) return unknown(statement);
  const left = (bits & (operation === '|' ? ~flip : operation === '&' ? flip : 0xffffffff)) >>> 0;
  const changed = operation === '&' ? 0 : flip;
  return from === to
    ? { kind: 'assign', target: to, keep: left, take: 0, flip: changed }
    : { kind: 'assign', target: to, keep: 0, source: from, take: left, flip: changed };
}

/** More than that is no choice between a few, and each is a way of its own. */
const mostNumbers = 64;

function zone(statement: AssignStatement): Step {
  const { target, source, operation, value } = statement;
  const isMark = source !== undefined && markOf(source) === 'mark' && operation === '|' && Number(value) === 0;
  const id: Zone | undefined = isMark
    ? 'mark'
    : source === undefined && /^\d+$/.test(value)
      ? Number(value)
      : undefined;
  if (id === undefined || target.kind !== 'ct') return unknown(statement);
  const { direction } = target;
  return {
    kind: 'zone',
    original: direction === 'reply' ? 0 : id,
    reply: direction === 'original' ? 0 : id,
  };
}

function header(statement: AssignStatement): Step | undefined {
  const { target, source, operation, value } = statement;
  if (target.kind !== 'payload' || source !== undefined || operation !== '=') return undefined;
  if (target.protocol !== 'ip' && target.protocol !== 'ip6') return undefined;
  const number = /^(?:\d+|0x[0-9a-f]+)$/i.test(value) ? Number(value) : undefined;
  switch (target.field) {
    case 'ttl':
    case 'hoplimit':
      return number === undefined ? undefined : { kind: 'setHeader', field: 'hopLimit', value: number };
    case 'dscp':
    case 'ecn': {
      const named = number ?? (target.field === 'dscp' ? classOf(value) : ecnOf(value));
      return named === undefined ? undefined : { kind: 'setHeader', field: target.field, value: named };
    }
    default:
      return undefined;
  }
}

/** No rule that is read here asks for it, and it does not change where the packet goes. */
function isHarmless({ target, value }: AssignStatement): boolean {
  switch (target.kind) {
    case 'meta':
      return harmlessMeta.has(target.key) || (target.key === 'pkttype' && (value === 'host' || value === 'unicast'));
    case 'ct':
      return harmlessCt.has(target.key);
    case 'tcpOption':
      return true;
    case 'payload':
      return harmlessFields.has(`${target.protocol} ${target.field}`);
    default:
      return false;
  }
}

const harmlessMeta: ReadonlySet<string> = new Set(['nftrace', 'priority', 'secmark']);
const harmlessCt: ReadonlySet<string> = new Set(['label', 'event', 'helper', 'timeout', 'expectation', 'secmark']);
const harmlessFields: ReadonlySet<string> = new Set([
  'ip id',
  'ip dscp',
  'ip ecn',
  'ip6 dscp',
  'ip6 ecn',
  'ip6 flowlabel',
  'tcp window',
  'tcp urgptr',
  'vlan pcp',
  'ether saddr',
]);

function note(target: Selector): Step {
  return { kind: 'note', text: `${writeSelector(target, 'listing')} set` };
}

function unknown({ target, source, value }: AssignStatement): Step {
  const from = source === undefined ? value : writeSelector(source, 'listing');
  return { kind: 'unknown', text: `${writeSelector(target, 'listing')} set ${from}` };
}

function markOf(selector: Selector): 'mark' | 'connectionMark' | undefined {
  if (selector.kind === 'meta' && selector.key === 'mark') return 'mark';
  return selector.kind === 'ct' && selector.key === 'mark' ? 'connectionMark' : undefined;
}
