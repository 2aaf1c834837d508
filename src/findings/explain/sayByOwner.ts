import { addTo } from '../../common/addTo.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import type { Role } from './consequences.ts';
import type { ExplainContext } from './explainWith.ts';
import type { Owner } from './memberOwners.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/** Reports what is missing, or should not be there, to its owners: one finding each for a few, one of the node for many. */
export function sayByOwner(
  { say }: Pick<ExplainContext, 'say'>,
  id: FindingCode,
  items: readonly RuleDifference[],
  how: {
    readonly ownerOf: (item: RuleDifference) => Owner | undefined;
    /** `isOwned`: by Services that are known. */
    readonly seen: (lines: readonly string[], isOwned: boolean) => string;
    readonly roleOf?: ((items: readonly RuleDifference[]) => Role) | undefined;
  },
): void {
  const owners = new Map<string, Owner>();
  const groups = new Map<string, RuleDifference[]>();
  for (const item of items) {
    const owner = how.ownerOf(item);
    if (owner !== undefined) owners.set(owner.name, owner);
    addTo(groups, owner?.name ?? '', item);
  }
  const seen = (own: readonly RuleDifference[], isOwned: boolean) =>
    how.seen(
      own.map(({ line }) => line),
      isOwned,
    );
  if (groups.size > mostOwners) {
    const role = how.roleOf?.(items) ?? {};
    say(id, items, { what: seen(items, !groups.has('')), services: [...owners.keys()], role });
    return;
  }
  for (const [name, own] of groups) {
    const owner = owners.get(name);
    const role = how.roleOf?.(own) ?? {};
    say(id, own, {
      what: seen(own, owner !== undefined),
      role,
      ...(owner && { service: name, places: [owner.origin] }),
    });
  }
}

const mostOwners = 3;
