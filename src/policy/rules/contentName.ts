import { sha256 } from '../../common/sha256.ts';

/**
 * A name that says what the thing holds: equal contents share it, and a policy that stays the same keeps it. 80 bits:
 * who writes policies must not find two contents of one name.
 */
export function contentName(kind: string, content: string): string {
  return `${kind}-${sha256(content).slice(0, 20)}`;
}
