import type { NetworkInterface } from '../../node/networkFacts.ts';

/** Reads the interfaces out of `ip addr show`, with or without `-d`, and `-o`. Lines that say something else are left out. */
export function readInterfaces(text: string): readonly NetworkInterface[] {
  const drafts = new Map<string, Draft>();
  let draft: Draft | undefined;
  for (const raw of text.split('\n')) {
    const head = /^\d+: ([^\s:@]+)(?:@[^\s:]+)?:?\s/.exec(raw);
    if (head?.[1] !== undefined) {
      draft = drafts.get(head[1]) ?? { name: head[1], addresses: [], isBridge: false };
      drafts.set(draft.name, draft);
      draft.master ??= / master (\S+)/.exec(raw)?.[1];
    }
    if (draft === undefined) continue;
    // `-d` says the kind of a link on a line of its own.
    if (/^\s+bridge\s/.test(raw)) draft.isBridge = true;
    const [, cidr, rest = ''] = /\binet6? (\S+)(.*)$/.exec(raw) ?? [];
    if (cidr === undefined) continue;
    const scope = /\bscope (\S+)/.exec(rest)?.[1];
    const isDeprecated = /\b(?:deprecated|tentative|dadfailed)\b/.test(rest);
    draft.addresses.push({ cidr: withLength(cidr), ...(scope && { scope }), ...(isDeprecated && { isDeprecated }) });
  }
  const bridges = new Set([...drafts.values()].map(({ master }) => master));
  return [...drafts.values()].map(({ name, addresses, master, isBridge }) => ({
    name,
    addresses,
    ...(master !== undefined && { master }),
    ...((isBridge || bridges.has(name)) && { isBridge: true as const }),
  }));
}

interface Draft {
  readonly name: string;
  readonly addresses: { cidr: string; scope?: string; isDeprecated?: true }[];
  master?: string | undefined;
  isBridge: boolean;
}

function withLength(cidr: string): string {
  return cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`;
}
