import { maskLength } from '../../common/addresses/maskLength.ts';
import type { NetworkInterface } from '../../node/networkFacts.ts';

/**
 * Reads the interfaces from `ip addr show`, with or without `-d`, `-o` or `-br`, and from old and new ifconfig. All
 * other lines are left out.
 */
export function readInterfaces(text: string): readonly NetworkInterface[] {
  const drafts = new Map<string, Draft>();
  let draft: Draft | undefined;
  for (const raw of text.split('\n')) {
    const name = (/^\d+: ([^\s:@]+)(?:@[^\s:]+)?:?\s/.exec(raw) ?? ifconfigHead.exec(raw) ?? briefHead.exec(raw))?.[1];
    if (name !== undefined) {
      // `eth0:1` is a further address of eth0, as ifconfig shows it.
      const device = name.split(':')[0] as string;
      draft = drafts.get(device) ?? { name: device, addresses: [], isBridge: false };
      drafts.set(device, draft);
      draft.master ??= / master (\S+)/.exec(raw)?.[1];
      draft.group ??= / group (\S+)/.exec(raw)?.[1];
    }
    if (draft === undefined) continue;
    draft.mtu ??= mtuIn(raw);
    draft.linkType ??= /^\s+link\/(\S+)/.exec(raw)?.[1];
    // `-d` prints the kind of a link on a separate line.
    if (/^\s+bridge\s/.test(raw)) draft.isBridge = true;
    for (const address of addressesIn(raw)) draft.addresses.push(address);
  }
  const bridges = new Set([...drafts.values()].map(({ master }) => master));
  return [...drafts.values()].map(({ name, addresses, master, group, linkType, mtu, isBridge }) => ({
    name,
    addresses,
    ...(master !== undefined && { master }),
    ...(group !== undefined && { group }),
    ...(linkType !== undefined && { linkType }),
    ...(mtu !== undefined && { mtu }),
    ...((isBridge || bridges.has(name)) && { isBridge: true as const }),
  }));
}

interface Draft {
  readonly name: string;
  readonly addresses: NetworkInterface['addresses'][number][];
  master?: string | undefined;
  group?: string | undefined;
  linkType?: string | undefined;
  mtu?: number | undefined;
  isBridge: boolean;
}

/** `mtu 1500` of ip and of ifconfig, `MTU:1500` of older ones. */
function mtuIn(raw: string): number | undefined {
  const shown = /^(?!\s+inet6? ).*\bmtu[ :](\d+)\b/i.exec(raw)?.[1];
  return shown === undefined ? undefined : Number(shown);
}

/** `eth0: flags=4163<UP,…>` and, of older ones, `eth0      Link encap:Ethernet`. */
const ifconfigHead = /^([a-zA-Z][\w.:-]*?)(?:: flags=|\s+Link encap:)/;
/** `eth0@if4         UP             10.0.0.1/24 fe80::1/64`. */
const briefHead = /^([a-zA-Z][\w.-]*)(?:@\S+)?\s+(?:UNKNOWN|UP|DOWN|LOWERLAYERDOWN|DORMANT|TESTING|NOTPRESENT)(?:\s|$)/;

function addressesIn(raw: string): readonly NetworkInterface['addresses'][number][] {
  if (briefHead.test(raw)) {
    return raw.split(/\s+/).flatMap((word) => (/^[0-9a-f.:]+\/\d+$/.test(word) ? [{ cidr: word }] : []));
  }
  const [, shown, rest = ''] = /\binet6? (?:addr: ?)?(\S+)(.*)$/.exec(raw) ?? [];
  if (shown === undefined) return [];
  const scope = /\bscope (\S+)/.exec(rest)?.[1];
  const isDeprecated = /\b(?:deprecated|tentative|dadfailed)\b/.test(rest);
  return [{ cidr: withLength(shown, rest), ...(scope && { scope }), ...(isDeprecated && { isDeprecated }) }];
}

/** The length follows the address, or is given as `netmask 255.255.255.0`, `Mask:255.255.255.0` or `prefixlen 64`. */
function withLength(shown: string, rest: string): string {
  if (shown.includes('/')) return shown;
  const mask = /\b(?:netmask |Mask:)(\S+)/.exec(rest)?.[1];
  const length = mask === undefined ? /\bprefixlen (\d+)/.exec(rest)?.[1] : maskLength(mask);
  return `${shown}/${length ?? (shown.includes(':') ? 128 : 32)}`;
}
