import type { StoredObject } from '../follow/objectStore.ts';
import { type KnownTexts, knownTexts, type NodeText, textsSince } from '../part/knownTexts.ts';
import type { ComparedNode, Scope } from './comparedNode.ts';
import { compareInPortions } from './compareInPortions.ts';
import { isLarge } from './isLarge.ts';
import type { EndpointCounts, Judged, Judgement } from './judgement.ts';
import { moreServices } from './moreServices.ts';
import { isOfPart, placesOf, servicesOfFlows } from './placesOf.ts';
import { releaseMemory } from './releaseMemory.ts';
import { stableHash } from './stableHash.ts';

/** What one comparison leaves for the next. */
export interface Known {
  readonly texts: KnownTexts;
  /** Of the store. */
  readonly revision: number;
  /** Services that were changing and so are still to be judged. */
  readonly open: ReadonlySet<string>;
  readonly judged: Judged;
  /** When the whole node was last compared. */
  readonly wholeAt: number;
}

export type NodeComparison =
  | { readonly kind: 'compared'; readonly scope: Scope; readonly known: Known }
  | Extract<Judgement, { readonly kind: 'undecided' }>;

/**
 * Compares a node, and no more of it than necessary. If neither texts nor objects changed, that is nothing. If all that
 * changed belongs to a few Services, it is their part of both. Otherwise it is everything.
 *
 * A part counts only if it shows nothing new. If it differs in any way from what is known, the whole node is compared:
 * a part alone never makes a finding.
 */
export async function compareNode(node: ComparedNode, known: Known | undefined): Promise<NodeComparison> {
  return (known && (await comparePart(node, known))) ?? compareWhole(node, known);
}

async function compareWhole(compared: ComparedNode, known: Known | undefined): Promise<NodeComparison> {
  const { node, store, files, changing, at } = compared;
  const revision = store.revision();
  const objects = [...store.all()];
  const texts = knownTexts(files, hashOf);
  if (isLarge(files)) releaseMemory();
  // Where something differs, only the whole shows what it means.
  const isSound = known === undefined || known.judged.problems.length === 0;
  const inPortions = isSound ? await compareInPortions(compared, objects, texts) : undefined;
  const judged = inPortions ?? (await compared.judge({ node, objects, files, changing }, 'node'));
  if (isLarge(files)) releaseMemory();
  if (judged.kind === 'undecided') return judged;
  return { kind: 'compared', scope: 'node', known: { texts, revision, open: changing, judged, wholeAt: at } };
}

/** Undefined: the whole node must be compared. */
async function comparePart(compared: ComparedNode, known: Known): Promise<NodeComparison | undefined> {
  const { store, files, changing, at } = compared;
  const since = textsSince(known.texts, files, hashOf);
  const changes = store.changesSince(known.revision);
  if (since === undefined || since.other !== undefined || changes.isWide) return undefined;
  const all = [...store.all()];
  const asked = since.flows.size === 0 ? [] : servicesOfFlows(since.flows, all);
  const touched = new Set([...changes.services, ...since.services, ...asked, ...known.open]);
  const next = { ...known, texts: since.known, revision: store.revision() };
  const due = [...touched].filter((service) => !changing.has(service));
  const open = new Set([...touched].filter((service) => changing.has(service)));
  const hasNews = changes.services.size > 0 || !since.isSame;
  if (!hasNews && due.length === 0) return { kind: 'compared', scope: 'nothing', known: { ...next, open } };
  if (touched.size > mostServices || at - known.wholeAt > longestPartly) return undefined;
  const own = all.filter((object) => isOfPart(object, touched));
  const { addresses } = placesOf(touched, [...own, ...changes.before]);
  // Lines that nobody else can explain must be of Services that are judged now or later.
  const beside = due.length === 0 ? [] : [...sharers(all, addresses), ...witnesses(known.judged, touched)];
  const services = new Set([...touched, ...beside]);
  const objects = beside.length === 0 ? own : all.filter((object) => isOfPart(object, services));
  const part = since.part(placesOf(services, [...objects, ...changes.before]));
  if (part === undefined) return undefined;
  if (due.length === 0) return { kind: 'compared', scope: 'nothing', known: { ...next, open } };
  const otherEndpoints = endpointsBeside(known.judged, services);
  const request = { node: compared.node, objects, files: part, changing, otherEndpoints };
  const judged = await compared.judge(request, 'services');
  const isJudged = (service: string) => services.has(service) && !changing.has(service);
  if (judged.kind === 'undecided' || !isNothingNew(judged, known.judged, isJudged)) return undefined;
  return {
    kind: 'compared',
    scope: 'services',
    known: { ...next, open, judged: merged(known.judged, judged, services) },
  };
}

/** With more Services, a part costs nearly as much as the whole. */
const mostServices = 100;
/** Milliseconds; afterwards the next change makes a comparison of the whole node. */
const longestPartly = 600_000;

function hashOf({ file, bytes }: NodeText): string {
  return stableHash(file, bytes);
}

/** Services that have one of some addresses: one of two rules for it may hide the other. */
function sharers(objects: readonly StoredObject[], addresses: ReadonlySet<string>): readonly string[] {
  const quoted = [...addresses].map((address) => `"${address}"`);
  return objects.flatMap(({ kind, service, text }) =>
    kind === 'Service' && service !== undefined && quoted.some((address) => text.includes(address)) ? service : [],
  );
}

/** One other Service of each family: its rules show version and settings, which those of a deleted one do not. */
function witnesses({ services }: Judged, touched: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const [service, endpoints] of services) {
      if (endpoints[family] === 0 || touched.has(service)) continue;
      found.push(service);
      break;
    }
  }
  return found;
}

function endpointsBeside({ services }: Judged, part: ReadonlySet<string>): EndpointCounts {
  const counts = { ipv4: 0, ipv6: 0 };
  for (const [service, { ipv4, ipv6 }] of services) {
    if (part.has(service)) continue;
    counts.ipv4 += ipv4;
    counts.ipv6 += ipv6;
  }
  return counts;
}

/** Whether a part shows exactly the problems that are known of it, with the settings that are known. */
function isNothingNew(part: Judged, known: Judged, isJudged: (service: string) => boolean): boolean {
  if (part.report.unread.length > 0 || part.settled !== known.settled) return false;
  const before = new Set(known.problems.map(({ fingerprint }) => fingerprint));
  const now = new Set(part.problems.map(({ fingerprint }) => fingerprint));
  if (![...now].every((fingerprint) => before.has(fingerprint))) return false;
  return known.problems.every(({ service, parts, fingerprint }) => {
    const about = service === undefined ? parts : [service, ...parts];
    // What names no Service may be about any, and the part does not show whether it still is.
    const isOfOthers = about.length > 0 && about.every((one) => one.includes('/') && !isJudged(one));
    return isOfOthers || now.has(fingerprint);
  });
}

function merged(known: Judged, part: Judged, services: ReadonlySet<string>): Judged {
  const all = new Map(known.services);
  for (const service of services) all.delete(service);
  for (const [service, endpoints] of part.services) all.set(service, endpoints);
  const more = all.size - known.services.size;
  return { ...known, services: all, report: moreServices(known.report, { services: more, same: more }) };
}
