import { sameData } from '../../common/sameData.ts';
import type { WalkChain } from '../../walk/input/walkInput.ts';

/** The chains have the same lines. A chain whose lines are not known has no equal. */
export function isSameText({ text }: WalkChain, other: WalkChain): boolean {
  return text !== undefined && text === other.text;
}

/** Both are asked by the kernel at the same place, or both by other chains alone. */
export function isSameBase({ base }: WalkChain, other: WalkChain): boolean {
  return sameData(base, other.base);
}
