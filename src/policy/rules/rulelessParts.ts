import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import type { PolicyModel } from '../../model/policyModel.ts';

/** What no rules can be made of. Left out, it could open what a policy closes, or close what it opens. */
export function rulelessParts(
  { clusterPolicies }: PolicyModel,
  layout?: 'strict' | 'kube-router' | undefined,
): readonly Diagnostic[] {
  const [first] = clusterPolicies;
  if (first !== undefined && layout === 'kube-router') {
    const message = `${first.id}: kube-router knows no cluster-wide policies, and neither does its layout`;
    return [
      {
        code: 'policy-without-rules',
        severity: 'error',
        message,
        at: [first.origin],
        hint: 'use --policy-layout strict, or --policy nftables',
      },
    ];
  }
  return clusterPolicies.flatMap(({ id, egress, origin }) =>
    egress.flatMap(({ peers }, rule) =>
      peers.flatMap((peer, index): readonly Diagnostic[] => {
        if (peer.kind !== 'domains') return [];
        const at = originIn(origin, ['spec', 'egress', rule, 'to', index, 'domainNames']);
        const message = `${id} names domains, whose addresses change: no rules can be made of it`;
        return [
          {
            code: 'policy-without-rules',
            severity: 'error',
            message,
            at: [at],
            hint: 'write networks, or take the rule out of the input; --policy off writes the rules of Services alone',
          },
        ];
      }),
    ),
  );
}
