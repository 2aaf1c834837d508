import { jsonText } from '../../src/common/text/jsonText.ts';

/** A value as who reads its JSON has it. */
export function asWritten(value: object): unknown {
  return JSON.parse([...jsonText(value)].join(''));
}
