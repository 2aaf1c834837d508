import type { UnknownFinding } from './readIgnoreList.ts';

/** `K8N230 is no finding; did you mean K8N203?` */
export function unknownFindingText({ word, meant }: UnknownFinding): string {
  return `${word} is not a finding${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
