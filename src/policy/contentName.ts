import { hash } from 'node:crypto';

/**
 * A name that says what the thing holds: equal contents share it, and a policy that stays the same keeps it. 80 bits:
 * who writes policies must not find two contents of one name.
 */
export function contentName(kind: string, content: string): string {
  return `${kind}-${hash('sha256', content).slice(0, 20)}`;
}
