import type { AssignStatement, Selector } from '../ast.ts';
import { mapFromJson, readMap, writeMap } from '../map.ts';
import { assignMeaning } from '../meaning/assignMeaning.ts';
import { asRecord, only } from '../read/jsonValue.ts';
import { keyFromJson } from '../read/keyFromJson.ts';
import { selectorFromJson } from '../read/selectorFromJson.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, type Tokens, takeList, takeWord } from '../read/tokenizer.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';

/** `meta mark set meta mark | 0x00004000`; `mark set mark or 0x00004000` in a transaction. */
export const assignStatement: StatementSyntax<AssignStatement> = {
  starts: undefined,
  read: (words) => {
    const target = readSelector(words);
    if (target === undefined || !accept(words, 'set')) {
      return undefined;
    }
    const source = readSource(words, target);
    if (source === undefined) {
      const value = takeList(words)?.join(',');
      const isValue = value !== undefined && (/^\d/.test(value) || !isNumber(target));
      return isValue ? { kind: 'assign', target, operation: '=', value } : undefined;
    }
    const map = accept(words, 'map') ? readMap(words) : undefined;
    if (map !== undefined) {
      return { kind: 'assign', target, source, operation: '=', value: '', map };
    }
    const mask = takeMask(words);
    const operation = operationOf(words.words[words.at]);
    if (operation === undefined) {
      const isWhole = !continuations.has(words.words[words.at] ?? '');
      return isWhole ? { kind: 'assign', target, source, operation: '|', value: noBits } : undefined;
    }
    words.at += 1;
    const value = takeWord(words);
    const goesOn = continuations.has(words.words[words.at] ?? '');
    return value === undefined || goesOn ? undefined : assignment(target, source, operation, value, mask);
  },
  write: ({ target, source = target, mask, operation, value, map }, spelling) => {
    const selector = writeSelector(target, spelling);
    const bits = mask === undefined ? '' : ` ${spelling === 'transaction' ? 'and' : '&'} ${mask}`;
    const from = `${writeSelector(source, spelling)}${bits}`;
    if (map !== undefined) return `${selector} set ${from} map ${writeMap(map, selectorTypes(source), spelling)}`;
    return operation === '='
      ? `${selector} set ${value}`
      : value === noBits && source !== target
        ? `${selector} set ${from}`
        : `${selector} set ${from} ${spelling === 'transaction' ? wordOf[operation] : operation} ${value}`;
  },
  jsonNames: ['mangle'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const target = selectorFromJson(record.key);
    if (target === undefined) {
      return undefined;
    }
    const types = selectorTypes(target);
    const [name, operands] = only(record.value) ?? [];
    if (name === 'map') {
      return lookedUpFromJson(target, operands);
    }
    const operation = operationOf(name);
    if (operation === undefined || !Array.isArray(operands)) {
      const copied = selectorFromJson(record.value);
      if (copied !== undefined) return { kind: 'assign', target, source: copied, operation: '|', value: noBits };
      const value = Array.isArray(record.value) ? record.value.join(',') : keyFromJson(record.value, types)?.[0];
      return value === undefined ? undefined : { kind: 'assign', target, operation: '=', value };
    }
    const [inner, masked] = only(operands[0]) ?? [];
    const [own, bits] = inner === '&' && Array.isArray(masked) ? masked : [operands[0], undefined];
    const source = selectorFromJson(own);
    const value = keyFromJson(operands[1], types)?.[0];
    const mask = bits === undefined ? undefined : keyFromJson(bits, types)?.[0];
    return source === undefined || value === undefined ? undefined : assignment(target, source, operation, value, mask);
  },
  evaluate: assignMeaning,
};

/** What a copy of another value is or-ed with. */
const noBits = '0x00000000';

/** Words that continue an expression: what was read is not the whole value. */
const continuations: ReadonlySet<string> = new Set(['|', 'or', '&', 'and', '^', 'xor', '<<', '>>', 'map', '.']);

function assignment(
  target: Selector,
  source: Selector,
  operation: '|' | '&' | '^',
  value: string,
  mask: string | undefined,
): AssignStatement {
  const bits = mask === undefined ? {} : { mask };
  return isSame(source, target)
    ? { kind: 'assign', target, ...bits, operation, value }
    : { kind: 'assign', target, source, ...bits, operation, value };
}

function lookedUpFromJson(target: Selector, body: unknown): AssignStatement | undefined {
  const { key, data } = asRecord(body) ?? {};
  const source = selectorFromJson(key);
  const map = source && mapFromJson(data, selectorTypes(source), selectorTypes(target));
  return source && map && { kind: 'assign', target, source, operation: '=', value: '', map };
}

/** Words that a target takes as values, as `ip` of `ether type set ip`, begin no selector. */
function readSource(words: Tokens, target: Selector): Selector | undefined {
  const start = words.at;
  const source = readSelector(words);
  const isMapped = words.words[words.at] === 'map';
  if (isMapped || isNumber(target) || (target.kind === 'tcpOption' && source?.kind === 'rt')) return source;
  words.at = start;
  return undefined;
}

/** Marks and zones are numbers, also in words of other selectors; other targets take names too. */
function isNumber({ kind, ...more }: Selector): boolean {
  return (kind === 'meta' || kind === 'ct') && 'key' in more && (more.key === 'mark' || more.key === 'zone');
}

/** `& 0xff` with another operation behind it. */
function takeMask(words: Tokens): string | undefined {
  const [sign, mask, next] = words.words.slice(words.at, words.at + 3);
  const isMask = (sign === '&' || sign === 'and') && operationOf(next) !== undefined && mask !== undefined;
  if (isMask) words.at += 2;
  return isMask ? mask : undefined;
}

const wordOf = { '|': 'or', '&': 'and', '^': 'xor' } as const;

function operationOf(text: string | undefined): '|' | '&' | '^' | undefined {
  switch (text) {
    case '|':
    case 'or':
      return '|';
    case '&':
    case 'and':
      return '&';
    case '^':
    case 'xor':
      return '^';
    default:
      return undefined;
  }
}

function isSame(a: Selector, b: Selector): boolean {
  return writeSelector(a, 'listing') === writeSelector(b, 'listing');
}
