import type { AssignStatement, Selector } from '../ast.ts';
import { asRecord, only } from '../jsonValue.ts';
import { keyFromJson } from '../keyFromJson.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';
import { selectorFromJson } from '../selectorFromJson.ts';
import type { StatementSyntax } from '../statementSyntax.ts';
import { accept, takeWord } from '../words.ts';

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
    const operation = operationOf(takeWord(words));
    const value = takeWord(words);
    const goesOn = operationOf(words.words[words.at]) !== undefined;
    return operation === undefined || value === undefined || goesOn || !isSame(source, target)
      ? undefined
      : { kind: 'assign', target, operation, value };
  },
  write: ({ target, operation, value }, spelling) => {
    const selector = writeSelector(target, spelling);
    return operation === '='
      ? `${selector} set ${value}`
      : `${selector} set ${selector} ${spelling === 'transaction' ? wordOf[operation] : operation} ${value}`;
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
      const value = keyFromJson(record.value, types)?.[0];
      return value === undefined ? undefined : { kind: 'assign', target, operation: '=', value };
    }
    const source = selectorFromJson(operands[0]);
    const value = keyFromJson(operands[1], types)?.[0];
    return source === undefined || value === undefined || !isSame(source, target)
      ? undefined
      : { kind: 'assign', target, operation, value };
  },
};

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
