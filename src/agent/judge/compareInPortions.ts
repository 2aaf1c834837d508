import type { StoredObject } from '../follow/objectStore.ts';
import { type KnownTexts, textPortions } from '../part/knownTexts.ts';
import type { ComparedNode } from './comparedNode.ts';
import type { EndpointCounts, Judged } from './judgement.ts';
import { moreServices } from './moreServices.ts';
import { isOfPart, placesOf } from './placesOf.ts';

/**
 * Compares a large node in portions of its Services, which takes less memory. Undefined: the node is small, or
 * something is not as it should be, and must be compared as a whole: only then is it known what that means.
 */
export async function compareInPortions(
  { node, files, changing, judge }: ComparedNode,
  objects: readonly StoredObject[],
  texts: KnownTexts,
): Promise<Judged | undefined> {
  const size = objects.reduce((sum, { service, text }) => sum + (service === undefined ? 0 : text.length), 0);
  if (size <= largestPortion || objects.some(({ kind }) => kind === 'NetworkPolicy')) return undefined;
  const counts = endpointCounts(objects);
  if (!isClearlyLarge(counts)) return undefined;
  const portions = portionsOf(objects);
  if (portions.length < fewestPortions) return undefined;
  const cut = textPortions(texts, files);
  let whole: Judged | undefined;
  for (const services of portions) {
    const own = objects.filter((object) => isOfPart(object, services));
    const part = cut.part(placesOf(services, own));
    const request = { node, objects: own, files: part, changing, otherEndpoints: counts };
    const judged = await judge(request, 'portion');
    if (judged.kind === 'undecided' || judged.problems.length > 0 || judged.report.unread.length > 0) return undefined;
    if (whole !== undefined && judged.settled !== whole.settled) return undefined;
    whole = whole === undefined ? judged : joined(whole, judged);
  }
  // Lines of Services that no longer exist were in no portion.
  return cut.isComplete() ? whole : undefined;
}

const fewestPortions = 3;
/** Bytes of objects; rules take up to twice as much. */
const largestPortion = 2 << 20;

/** Services that share an address come first and together: one of two rules for it may hide the other. */
function portionsOf(objects: readonly StoredObject[]): readonly ReadonlySet<string>[] {
  const sizes = new Map<string, number>();
  const byAddress = new Map<string, string>();
  const sharing = new Set<string>();
  for (const object of objects) {
    const { service, kind, text } = object;
    if (service === undefined) continue;
    sizes.set(service, (sizes.get(service) ?? 0) + text.length);
    if (kind !== 'Service') continue;
    for (const address of placesOf(new Set(), [object]).addresses) {
      const other = byAddress.get(address);
      if (other !== undefined && other !== service) sharing.add(other).add(service);
      byAddress.set(address, service);
    }
  }
  const portions: Set<string>[] = [new Set(sharing)];
  let size = 0;
  for (const [service, own] of sizes) {
    if (sharing.has(service)) continue;
    if (size + own > largestPortion) {
      portions.push(new Set());
      size = 0;
    }
    portions.at(-1)?.add(service);
    size += own;
  }
  return portions;
}

/** At least as many as kube-proxy counts: one for each address and port. */
function endpointCounts(objects: readonly StoredObject[]): EndpointCounts {
  const counts = { ipv4: 0, ipv6: 0 };
  for (const { kind, text } of objects) {
    if (kind !== 'EndpointSlice') continue;
    const { addressType, endpoints, ports } = JSON.parse(text) as {
      readonly addressType?: string;
      readonly endpoints?: readonly unknown[];
      readonly ports?: readonly unknown[];
    };
    const count = (endpoints?.length ?? 0) * (ports?.length ?? 0);
    if (addressType === 'IPv4') counts.ipv4 += count;
    if (addressType === 'IPv6') counts.ipv6 += count;
  }
  return counts;
}

/** Rules of clusters with more than a thousand endpoints look different: nearby, only an exact count would do. */
function isClearlyLarge(counts: EndpointCounts): boolean {
  return Object.values(counts).every((count) => count === 0 || count > clearlyLarge);
}

const clearlyLarge = 10_000;

function joined(whole: Judged, part: Judged): Judged {
  return {
    ...whole,
    services: new Map([...whole.services, ...part.services]),
    report: moreServices(whole.report, part.report.summary),
  };
}
