import { answerQuery, type DnsServer, type QueryResult } from './answerQuery.ts';
import type { DnsRecord, DnsType } from './dnsRecord.ts';

export type Resolver = 'glibc' | 'musl';

export interface Question {
  /** As the program asks for it. */
  readonly name: string;
  readonly type: DnsType;
  readonly search: readonly string[];
  readonly ndots: number;
  readonly resolver: Resolver;
}

export interface Resolution {
  /** In the order in which they are asked. */
  readonly steps: readonly ResolutionStep[];
  /** Names that upstream servers were asked for; that they do not have them is assumed. */
  readonly assumed: readonly string[];
  readonly answer: readonly DnsRecord[];
  readonly result: 'found' | 'not-found' | 'forwarded';
}

export interface ResolutionStep {
  readonly name: string;
  readonly type: DnsType;
  readonly result: QueryResult;
  readonly answers: readonly DnsRecord[];
  /** Of NODATA: the types that the name has records of. */
  readonly otherTypes?: readonly string[];
}

/** What a program in a Pod gets for a name: each candidate of its search list is asked until one has an answer. */
export function resolveName(server: DnsServer, question: Question): Resolution {
  const steps: ResolutionStep[] = [];
  const assumed: string[] = [];
  const { type, resolver } = question;
  for (const name of candidates(question)) {
    const { result, answers } = answerQuery(server, name, type);
    const otherTypes = result === 'NODATA' ? typesOf(server, name) : [];
    steps.push({ name, type, result, answers, ...(otherTypes.length > 0 && { otherTypes }) });
    if (result === 'NOERROR') return { steps, assumed, answer: answers, result: 'found' };
    if (result === 'FORWARD' && answers.length > 0) return { steps, assumed, answer: answers, result: 'forwarded' };
    if (result === 'FORWARD') assumed.push(name);
    // The name exists: musl believes it, glibc looks for others.
    if (result === 'NODATA' && resolver === 'musl') break;
  }
  // Upstream has no addresses at the top of the tree.
  const isForwarded = question.name.includes('.') && assumed.includes(absolute(question.name));
  return { steps, assumed, answer: [], result: isForwarded ? 'forwarded' : 'not-found' };
}

function typesOf({ index }: DnsServer, name: string): readonly string[] {
  const types = (index.byName.get(name.toLowerCase()) ?? []).map(({ type }) => type);
  // An alias that leads nowhere does not answer questions of another type.
  return [...new Set(types)].filter((type) => type !== 'CNAME').sort();
}

/** Names in the order of resolv.conf(5). A name that is too long for DNS is not asked. */
function candidates({ name, search, ndots, resolver }: Question): readonly string[] {
  const own = absolute(name);
  if (name.endsWith('.')) return [own];
  const searched = search.map((domain) => (domain === '.' ? own : absolute(`${name}.${domain}`)));
  const dots = name.split('.').length - 1;
  const all = dots < ndots ? [...searched, own] : resolver === 'musl' ? [own] : [own, ...searched];
  return [...new Set(all)].filter((each) => each.length <= longestAbsolute);
}

const longestAbsolute = 254;

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
