import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A set by its name, or one of its entries: `KUBE-CLUSTER-IP 10.96.0.10,udp:53`. */
export function setFacts(name: string, input: WalkInput, catalog: RuleCatalog): readonly WhoisFact[] {
  const [set = name, entry] = name.includes(' ') ? name.split(/\s+/, 2) : [name];
  const uses = catalog.setUses.get(set) ?? [];
  const own = input.ipsets.get(set);
  const isMember =
    entry === undefined || own === undefined
      ? undefined
      : own.members.some(({ parts }) =>
          parts.some(({ range }) => {
            const asked = addressPattern(entry.split(',')[0] ?? '')?.range.first;
            return (
              asked !== undefined && typeof asked === typeof range.first && range.first <= asked && asked <= range.last
            );
          }),
        );
  const held =
    own === undefined
      ? ''
      : ` holds ${own.members.length} ${own.members.length === 1 ? 'member' : 'members'}${isMember === undefined ? '' : `, ${entry} ${isMember ? 'is' : 'is not'} one of them`}`;
  const asked = uses.map((rule): WhoisFact => {
    const { chain } = rule;
    return {
      kind: 'set',
      sentence: `the set ${set} is asked by ${chain.table.name} ${chain.name} #${rule.number}${rule.comment === undefined ? '' : ` (${rule.comment})`}`,
      ...placeOf(rule),
    };
  });
  return held === '' ? asked : [{ kind: 'set', sentence: `the set ${set}${held}` }, ...asked];
}
