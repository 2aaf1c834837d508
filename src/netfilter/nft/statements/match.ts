import type { MatchStatement, NftKey, NftSpelling, Operand, Operator, Selector } from '../ast.ts';
import { readKey, writeKey } from '../element.ts';
import { matchMeaning } from '../meaning/statementMeaning.ts';
import { asRecord, only } from '../read/jsonValue.ts';
import { keyFromJson } from '../read/keyFromJson.ts';
import { readFlagTest } from '../read/readFlagTest.ts';
import { selectorFromJson } from '../read/selectorFromJson.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, type Tokens, takeWord } from '../read/tokenizer.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';

/** `ip saddr != 10.0.0.0/8`, `ct state established,related`, `meta mark & 0x00004000 == 0x00000000`. */
export const matchStatement: StatementSyntax<MatchStatement> = {
  starts: undefined,
  read: (words) => {
    const isLimit = words.words[words.at] === 'ct' && words.words[words.at + 1] === 'count';
    const left = isLimit ? undefined : readSelector(words);
    if (left === undefined) {
      return undefined;
    }
    const flagTest = readFlagTest(words, left);
    if (flagTest !== undefined) {
      return { kind: 'match', left, operator: '==', right: { kind: 'value', key: [flagTest.text] }, flagTest };
    }
    const mask = accept(words, '&') || accept(words, 'and') ? takeWord(words) : undefined;
    const operator = readOperator(words);
    const right = readOperand(words, left);
    return right === undefined || notOperands.has(firstWord(right)) ? undefined : matchOf(left, mask, operator, right);
  },
  write: ({ left, mask, operator, right, flagTest }, spelling) => {
    if (flagTest !== undefined) return `${writeSelector(left, spelling)} ${flagTest.text}`;
    const length = mask === undefined || spelling === 'transaction' ? undefined : prefixLength(mask);
    const operand = writeOperand(right, left, spelling);
    if (length !== undefined) {
      return `${writeSelector(left, spelling)}${operatorText(operator)} ${operand}/${length}`;
    }
    return mask === undefined
      ? `${writeSelector(left, spelling)}${operatorText(operator)} ${operand}`
      : `${writeSelector(left, spelling)} ${spelling === 'transaction' ? 'and' : '&'} ${mask} ${operator} ${operand}`;
  },
  jsonNames: ['match'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const [operation, operands] = only(record.left) ?? [];
    const masked = operation === '&' && Array.isArray(operands) ? operands : undefined;
    const left = selectorFromJson(masked === undefined ? record.left : masked[0]);
    const operator = operatorFromJson(record.op);
    if (left === undefined || operator === undefined) {
      return undefined;
    }
    const mask = masked === undefined ? undefined : keyFromJson(masked[1], selectorTypes(left))?.[0];
    const right = operandFromJson(record.right, selectorTypes(left));
    return right === undefined ? undefined : matchOf(left, mask, operator, right);
  },
  evaluate: matchMeaning,
};

/** nft prints a mark under a mask of leading ones as a prefix: `meta mark 0x00000000/1`. */
function matchOf(left: Selector, mask: string | undefined, operator: Operator, right: Operand): MatchStatement {
  if (mask !== undefined) {
    return { kind: 'match', left, mask, operator, right };
  }
  const value = right.kind === 'value' && right.key.length === 1 ? (right.key[0] ?? '') : '';
  const slash = value.indexOf('/');
  if (slash < 0 || selectorTypes(left)[0] !== 'mark') {
    return { kind: 'match', left, operator, right };
  }
  const length = Number(value.slice(slash + 1));
  const bits = length > 0 && length <= 32 ? (0xffffffff << (32 - length)) >>> 0 : 0;
  return {
    kind: 'match',
    left,
    mask: `0x${bits.toString(16).padStart(8, '0')}`,
    operator,
    right: { kind: 'value', key: [numberText(value.slice(0, slash))] },
  };
}

function numberText(text: string): string {
  return /^\d+$/.test(text) ? `0x${Number(text).toString(16).padStart(8, '0')}` : text;
}

function prefixLength(mask: string): number | undefined {
  const bits = Number(mask);
  const length = Math.clz32(~bits);
  return length > 0 && length < 32 && bits === (0xffffffff << (32 - length)) >>> 0 ? length : undefined;
}

const operators = new Set<string>(['==', '!=', '<', '>', '<=', '>=']);

function isOperator(text: unknown): text is Operator {
  return typeof text === 'string' && operators.has(text);
}

function readOperator(words: Tokens): Operator {
  const next = words.words[words.at];
  if (!isOperator(next)) {
    return '==';
  }
  words.at += 1;
  return next;
}

/** Equality goes without saying. */
function operatorText(operator: Operator): string {
  return operator === '==' ? '' : ` ${operator}`;
}

function operatorFromJson(value: unknown): Operator | undefined {
  return value === 'in' ? '==' : isOperator(value) ? value : undefined;
}

/** Words that continue an expression: what was read is not the whole operand. */
const notOperands = new Set(['set', 'vmap', 'map', 'and', 'or', 'xor', '&', '|', '^', '<<', '>>']);

function firstWord(operand: Operand): string {
  return operand.kind === 'value' ? (operand.key[0] ?? '') : '';
}

function readOperand(words: Tokens, left: Selector): Operand | undefined {
  const next = words.words[words.at];
  if (next === '{') {
    return readAnonymousSet(words);
  }
  if (next?.startsWith('@')) {
    words.at += 1;
    return { kind: 'namedSet', name: next.slice(1) };
  }
  const key = left.kind === 'concat' ? readKey(words) : readSingle(words);
  if (key === undefined) {
    return undefined;
  }
  const values = [key[0] ?? ''];
  while (accept(words, ',')) {
    const value = takeWord(words);
    if (value === undefined) {
      return undefined;
    }
    values.push(value);
  }
  return values.length === 1 ? { kind: 'value', key } : { kind: 'list', values };
}

function readSingle(words: Tokens): NftKey | undefined {
  const word = takeWord(words);
  return word === undefined ? undefined : [word];
}

function readAnonymousSet(words: Tokens): Operand | undefined {
  words.at += 1;
  const elements: NftKey[] = [];
  while (!accept(words, '}')) {
    const key = readKey(words);
    if (key === undefined || (words.words[words.at] !== '}' && !accept(words, ','))) {
      return undefined;
    }
    elements.push(key);
  }
  return setOf(elements, words.isListing === true);
}

function setOf(elements: readonly NftKey[], isListed: boolean): Operand {
  return isListed && elements.length === 1
    ? { kind: 'anonymousSet', elements, isMerged: true }
    : { kind: 'anonymousSet', elements };
}

function writeOperand(operand: Operand, left: Selector, spelling: NftSpelling): string {
  switch (operand.kind) {
    case 'value':
      return writeKey(operand.key, spelling, selectorTypes(left));
    case 'list':
      return operand.values.join(',');
    case 'namedSet':
      return `@${operand.name}`;
    case 'anonymousSet': {
      const types = selectorTypes(left);
      const elements = operand.elements.map((key) => writeKey(key, spelling, types));
      const separator = spelling === 'transaction' ? (operand.isTight ? ',' : ' , ') : ', ';
      return `{ ${elements.join(separator)} }`;
    }
  }
}

function operandFromJson(value: unknown, types: readonly string[]): Operand | undefined {
  if (typeof value === 'string' && value.startsWith('@')) {
    return { kind: 'namedSet', name: value.slice(1) };
  }
  // The result of a fib lookup is there, or not.
  if (typeof value === 'boolean') {
    return { kind: 'value', key: [value ? 'exists' : 'missing'] };
  }
  if (Array.isArray(value)) {
    const values = value.filter((item) => typeof item === 'string');
    return values.length === value.length ? { kind: 'list', values } : undefined;
  }
  const [kind, body] = only(value) ?? [];
  if (kind === 'set' && Array.isArray(body)) {
    const elements = body.map((item) => keyFromJson(item, types));
    return elements.every((key) => key !== undefined) ? setOf(elements, true) : undefined;
  }
  const key = keyFromJson(value, types);
  return key === undefined ? undefined : { kind: 'value', key };
}
