import type { Rule } from '../../netfilter/iptables/ast.ts';
import type { DumpedRules } from '../dumpedRules.ts';
import type { Fingerprint } from '../fingerprint.ts';
import { dumpedChains } from '../iptables/fingerprints/dumpedChains.ts';
import type { UserspaceDialect } from './userspaceDialect.ts';

/** What tells versions of userspace mode apart: names of unnamed ports, and the comments of the rule for node ports. */
export function userspaceFingerprints({ iptables }: DumpedRules): readonly Fingerprint<UserspaceDialect>[] {
  const { rules } = dumpedChains(iptables);
  const found: Fingerprint<UserspaceDialect>[] = [];
  const names = [...(rules.get('nat KUBE-PORTALS-CONTAINER') ?? []), ...(rules.get('nat KUBE-PORTALS-HOST') ?? [])]
    .flatMap(commentsOf)
    .filter((name) => name.includes('/'));
  const colon = names.find((name) => name.endsWith(':'));
  if (colon !== undefined) {
    found.push({ seen: `comment "${colon}"`, allows: (_, plan) => plan.servicePortColon === 'always' });
  }
  const bare = names.find((name) => !name.includes(':'));
  if (bare !== undefined) {
    found.push({ seen: `comment "${bare}"`, allows: (_, plan) => plan.servicePortColon === 'onlyNamed' });
  }
  const [accepting] = rules.get('filter KUBE-NODEPORT-NON-LOCAL') ?? [];
  if (accepting !== undefined) {
    const isTwice = commentsOf(accepting).length > 1;
    found.push({
      seen: `KUBE-NODEPORT-NON-LOCAL names a Service port ${isTwice ? 'twice' : 'once'}`,
      allows: ({ repeatsNodePortComment }) => repeatsNodePortComment === isTwice,
    });
  }
  return found;
}

function commentsOf({ words }: Rule): readonly string[] {
  return words.flatMap((word) => (word.kind === 'comment' ? [word.text] : []));
}
