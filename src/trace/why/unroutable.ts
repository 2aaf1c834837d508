import type { WalkEvent } from '../../walk/flow.ts';
import type { CauseDraft } from './cause.ts';
import { evidenceOf, fact } from './evidence.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** The kernel drops the packet between hooks. */
export function unroutable(why: string, events: readonly WalkEvent[], { name }: WhyQuestion): CauseDraft {
  if (why === 'hairpin mode off') {
    return {
      id: 'way-back',
      sentence:
        'The Pod asks itself by its Service, and its bridge port does not send packets back out (hairpin mode is off).',
      evidence: [fact('hairpin off')],
      fix: 'Set hairpinMode: true in the configuration of the CNI plug-in; for Pods that run already: `bridge link set dev PORT hairpin on`.',
    };
  }
  return {
    id: 'routing',
    sentence: `The kernel does not route ${name} on from here: ${why}.`,
    evidence: [fact(why), ...evidenceOf(events.findLast(({ rule }) => rule !== undefined))],
    fix: routingFixes[why] ?? '`ip route get ADDRESS` shows what the kernel does with the address.',
  };
}

const routingFixes: Readonly<Record<string, string>> = {
  'forwarding off': '`sysctl -w net.ipv4.ip_forward=1` (IPv6: `net.ipv6.conf.all.forwarding=1`)',
  'no route': '`ip route` shows where the address leads: the CNI plug-in sets the routes to the Pods of other nodes.',
  rp_filter: '`sysctl -w net.ipv4.conf.all.rp_filter=2`, and the same for the interface',
  'route_localnet off': '`sysctl -w net.ipv4.conf.all.route_localnet=1`, or use another address of the node',
  martian:
    'The source or destination address may not come by this interface: look at the address, and at route_localnet.',
};
