import type { Key, KeyPattern } from '../../../netfilter/meaning.ts';
import { fieldText, rangeText } from './standInText.ts';
import type { StepWriter } from './stepWriter.ts';

export function keyText(key: Key): string {
  return key.map((part) => plainText(part)).join('.');
}

export function patternText(pattern: KeyPattern, writer: StepWriter, key?: Key): string {
  return pattern
    .map((part, at) => {
      if (!('first' in part)) return `${part.text}${part.isPrefix ? '*' : ''}`;
      const own = key?.[at];
      return own?.kind === 'field' ? fieldText(own.field, part, writer) : rangeText(part, writer);
    })
    .join('.');
}

/** Conditions that contain nothing of one destination. */
export function plainText(condition: object): string {
  return JSON.stringify(condition, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
