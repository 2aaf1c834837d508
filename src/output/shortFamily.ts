import type { Family } from '../common/addresses/family.ts';

/** `v4` or `v6`, as in file names. */
export function shortFamily(family: Family): 'v4' | 'v6' {
  return family === 'ipv4' ? 'v4' : 'v6';
}
