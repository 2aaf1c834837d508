import { canonicalIp } from '../../common/addresses/ip.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import { addressText } from '../../walk/values/text.ts';
import { readParty } from './readParty.ts';

/** The Node whose rules a packet of `from` meets first, by the objects; undefined: they do not show it. */
export function nodeOfSender({ nodes, pods }: NodeChoiceInput, from: string): string | undefined {
  const party = readParty(from);
  const isNode = (name: string | undefined) => nodes.some(({ value }) => value.metadata.name === name);
  if (party?.kind === 'node') return isNode(party.name) ? party.name : undefined;
  if (party?.kind !== 'object' && party?.kind !== 'address') return undefined;
  const address = party.kind === 'address' ? addressText(party.address) : undefined;
  const has = (given: readonly (string | undefined)[]) =>
    given.some((ip) => ip !== undefined && canonicalIp(ip) === address);
  const ownNode = nodes.find(({ value }) => has((value.status?.addresses ?? []).map((each) => each.address)));
  if (address !== undefined && ownNode !== undefined) return ownNode.value.metadata.name;
  const homes = pods.flatMap(({ value: { metadata, spec, status } }) => {
    const isAsked =
      party.kind === 'object'
        ? `${metadata.namespace ?? 'default'}/${metadata.name}` === party.name
        : has([status?.podIP ?? undefined, ...(status?.podIPs ?? []).map(({ ip }) => ip)]);
    return isAsked ? [spec?.nodeName ?? undefined] : [];
  });
  const [home] = homes;
  return new Set(homes).size === 1 && isNode(home) ? home : undefined;
}

type NodeChoiceInput = Parameters<NonNullable<CompileInput['chooseNode']>>[0];
