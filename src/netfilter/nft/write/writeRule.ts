import type { NftRule, NftSpelling } from '../ast.ts';
import { UsualRule } from '../read/usualRule.ts';
import { writeStatement } from '../statements.ts';
import { quoted } from './quoted.ts';

/** One rule's text, without chain and indentation. */
export function writeRule(rule: NftRule, spelling: NftSpelling): string {
  if (spelling === 'listing' && rule.written !== undefined) {
    return rule.written;
  }
  if (spelling === 'listing' && rule instanceof UsualRule) {
    return rule.text;
  }
  let text = '';
  for (const statement of rule.statements) {
    text = text === '' ? writeStatement(statement, spelling) : `${text} ${writeStatement(statement, spelling)}`;
  }
  if (rule.comment !== undefined) {
    text += ` comment ${quoted(rule.comment)}`;
  }
  return rule.handle === undefined || spelling === 'transaction' ? text : `${text} # handle ${rule.handle}`;
}
