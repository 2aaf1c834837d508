import type { Family } from '../../../common/addresses/family.ts';
import type { Value } from '../../../common/ranges/valueRange.ts';
import { onlyValue } from '../../../common/ranges/valueSet.ts';
import type { BesideRules } from '../../../trace/known/besideRules.ts';
import { flowDestination } from '../../../trace/show/flowDestination.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import type { Flow, WalkEvent } from '../../../walk/flow.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { evidenceOf, fact } from '../../evidence.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/** The kernel drops the packet between hooks. */
export function unroutable(
  { first: { flow } }: TracedOutcome,
  why: string,
  events: readonly WalkEvent[],
  { name, known, result }: WhyQuestion,
): CauseDraft {
  const setting = assumedSetting(why, known, result.packet.family);
  if (setting !== undefined) {
    return {
      code: 'routing',
      what: `Whether the kernel routes ${name} on from here is unknown: it does not if ${setting} is ${why === 'rp_filter' ? '1' : '0'}, which was not given.`,
      evidence: [fact(why)],
      fix: `See on the node: \`sysctl ${setting}\`, and give what \`sysctl -a\` prints with \`--sysctl FILE\`.`,
      isUnknown: true,
    };
  }
  if (why === 'hairpin mode off') {
    return {
      code: 'way-back',
      what: 'The Pod asks itself by its Service, and its bridge port does not send packets back out (hairpin mode is off).',
      evidence: [fact('hairpin off')],
      fix: `Set hairpinMode: true in the configuration of the CNI plug-in; for Pods that run already: \`bridge link set dev ${portOf(flow)} hairpin on\`.`,
    };
  }
  return {
    code: 'routing',
    what: `The kernel does not route ${name} on from here${translated(flow, result.packet.destination)}: ${why}.`,
    evidence: [fact(why), ...evidenceOf(events.findLast(({ rule }) => rule !== undefined))],
    fix: routingFixes[why] ?? `\`ip route get ${addressOf(flow)}\` shows what the kernel does with the address.`,
  };
}

/** Where the rules have sent it, if that is another address. */
function translated(flow: Flow, asked: Value): string {
  const address = onlyValue(flow.packet.destination);
  return address === undefined || address === asked ? '' : `, translated to ${flowDestination(flow)}`;
}

/** The bridge port that the Pod is attached to: names that a shell would interpret stay out of commands. */
function portOf({ outInterface = '' }: Flow): string {
  return /^[a-z0-9][\w.-]*$/i.test(outInterface) ? outInterface : 'INTERFACE';
}

function addressOf({ packet }: Flow): string {
  const address = onlyValue(packet.destination);
  return address === undefined ? 'ADDRESS' : addressText(address);
}

/**
 * The setting that makes the kernel do this, if its value was not given; undefined: it was given, or another fact
 * decides.
 */
function assumedSetting(why: string, { givenSysctls }: BesideRules, family: Family): string | undefined {
  const setting = settings[why]?.[family];
  return setting === undefined || givenSysctls === undefined || givenSysctls.has(setting) ? undefined : setting;
}

const settings: Readonly<Record<string, Readonly<Partial<Record<Family, string>>>>> = {
  'forwarding off': { ipv4: 'net.ipv4.ip_forward', ipv6: 'net.ipv6.conf.all.forwarding' },
  rp_filter: { ipv4: 'net.ipv4.conf.all.rp_filter' },
  'route_localnet off': { ipv4: 'net.ipv4.conf.all.route_localnet' },
};

const routingFixes: Readonly<Record<string, string>> = {
  'forwarding off': '`sysctl -w net.ipv4.ip_forward=1` (IPv6: `net.ipv6.conf.all.forwarding=1`)',
  'no route': '`ip route` shows where the address leads: the CNI plug-in sets the routes to the Pods of other nodes.',
  rp_filter: '`sysctl -w net.ipv4.conf.all.rp_filter=2`, and the same for the interface',
  'route_localnet off': '`sysctl -w net.ipv4.conf.all.route_localnet=1`, or use another address of the node',
  martian:
    'The source or destination address may not come by this interface: look at the address, and at route_localnet.',
};
