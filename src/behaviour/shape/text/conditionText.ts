import type { Condition } from '../../../netfilter/meaning.ts';
import type { WalkTable } from '../../../walk/input/walkInput.ts';
import { keyText, patternText, plainText } from './keyTexts.ts';
import { listName, setText } from './listName.ts';
import { fieldText } from './standInText.ts';
import type { StepWriter } from './stepWriter.ts';

export function conditionText(condition: Condition, table: WalkTable, writer: StepWriter): string {
  switch (condition.kind) {
    case 'always':
    case 'never':
    case 'bridged':
      return condition.kind;
    case 'not':
      return `not(${conditionText(condition.condition, table, writer)})`;
    case 'all':
    case 'any':
      return `${condition.kind}(${condition.conditions.map((each) => conditionText(each, table, writer)).join(',')})`;
    case 'values':
      if (condition.mask !== undefined)
        for (const range of condition.ranges) writer.networks.push({ ...range, mask: condition.mask });
      return `${condition.field}${condition.isOutside ? '!' : ''}${condition.mask === undefined ? '' : `&${condition.mask}`} ${condition.ranges
        .map((range) => fieldText(condition.field, range, writer))
        .join(',')}`;
    case 'recent':
      return `recent ${listName(condition.list, table, writer)} ${condition.side} ${condition.action} ${condition.seconds ?? ''} ${condition.hitcount ?? ''} ${condition.mask ?? ''}`;
    case 'lookup':
      return `lookup ${keyText(condition.key)} ${
        typeof condition.set === 'string'
          ? setText(condition.set, table, writer)
          : condition.set.map((pattern) => patternText(pattern, writer)).join(' ')
      }`;
    case 'chance':
      return `chance ${(condition.share / condition.whole).toFixed(11)}`;
    case 'time':
      return `time ${JSON.stringify([...condition.options])}`;
    default:
      return plainText(condition);
  }
}
