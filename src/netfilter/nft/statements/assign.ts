import type { AssignStatement, Selector } from '../ast.ts';
import { asRecord, only } from '../jsonValue.ts';
import { keyFromJson } from '../keyFromJson.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';
import { selectorFromJson } from '../selectorFromJson.ts';
import { assignMeaning } from '../statementMeaning.ts';
import type { StatementSyntax } from '../statementSyntax.ts';
import { accept, takeWord } from '../tokenizer.ts';

/** `meta mark set meta mark | 0x00004000`; `mark set mark or 0x00004000` in a transaction. */
export const assignStatement: StatementSyntax<AssignStatement> = {
  starts: undefined,
  read: (words) => {
    const target = readSelector(words);
    if (target === undefined || !accept(words, 'set')) {
      return undefined;
    }
    const source = readSelector(words);
    if (source === undefined) {
      const value = takeWord(words);
      return value === undefined || !/^\d/.test(value) ? undefined : { kind: 'assign', target, operation: '=', value };
    }
    const operation = operationOf(words.words[words.at]);
    if (operation === undefined) {
      const isWhole = !continuations.has(words.words[words.at] ?? '');
      return isWhole ? { kind: 'assign', target, source, operation: '|', value: noBits } : undefined;
    }
    words.at += 1;
    const value = takeWord(words);
    const goesOn = continuations.has(words.words[words.at] ?? '');
    return value === undefined || goesOn ? undefined : assignment(target, source, operation, value);
  },
  write: ({ target, source = target, operation, value }, spelling) => {
    const selector = writeSelector(target, spelling);
    const from = writeSelector(source, spelling);
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
    const operation = operationOf(name);
    if (operation === undefined || !Array.isArray(operands)) {
      const copied = selectorFromJson(record.value);
      if (copied !== undefined) return { kind: 'assign', target, source: copied, operation: '|', value: noBits };
      const value = keyFromJson(record.value, types)?.[0];
      return value === undefined ? undefined : { kind: 'assign', target, operation: '=', value };
    }
    const source = selectorFromJson(operands[0]);
    const value = keyFromJson(operands[1], types)?.[0];
    return source === undefined || value === undefined ? undefined : assignment(target, source, operation, value);
  },
  evaluate: assignMeaning,
};

/** What a copy of another value is or-ed with. */
const noBits = '0x00000000';

/** Words that continue an expression: what was read is not the whole value. */
const continuations: ReadonlySet<string> = new Set(['|', 'or', '&', 'and', '^', 'xor', '<<', '>>', 'map', '.']);

function assignment(target: Selector, source: Selector, operation: '|' | '&' | '^', value: string): AssignStatement {
  return isSame(source, target)
    ? { kind: 'assign', target, operation, value }
    : { kind: 'assign', target, source, operation, value };
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
