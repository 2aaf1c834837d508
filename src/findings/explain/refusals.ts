import type { Role } from './consequences.ts';
import type { SaidParts } from './explainWith.ts';
import { type KnownService, reachedOf } from './serviceIndex.ts';

/**
 * Nothing refuses an address that has no endpoints: mostly because rules still lead to those it had. With the cluster IP
 * stands what is true of all addresses.
 */
export function unrefusedRole(isClusterIP: boolean): Role {
  return isClusterIP
    ? { tells: 'unknown', follows: ['strangers', 'otherWay'] }
    : { follows: ['strangers', 'otherWay', 'unknown'] };
}

/** An address is refused, and has endpoints: where nothing leads to them, the node does not know them. */
export function refusedParts(what: string, service: KnownService | undefined): SaidParts {
  return { what, role: { tells: 'refused', about: reachedOf(service) } };
}
