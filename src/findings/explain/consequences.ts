import { addTo } from '../../common/addTo.ts';
import { setNames } from '../../netfilter/iptables/ruleParts.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { Finding } from '../finding.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/** What alone makes several chains of one Service differ, as the finding of one of them tells. */
export type SharedReason =
  /** Traffic goes to endpoints that should get none of it. */
  | 'strangers'
  /** Endpoints get no traffic, and others of the Service do. */
  | 'lacking'
  /** The Service is refused as one without endpoints, and has some. */
  | 'refused'
  /** No rule has the address of the Service. */
  | 'unknown'
  /** Traffic of the Service goes another way. */
  | 'otherWay'
  /** Clients are kept on one endpoint, or are not, otherwise than the Service asks. */
  | 'affinity'
  /** An address leads to a Service that has it no more. */
  | 'left'
  /** No node port of a family answers, which may be a setting. */
  | 'closedNodePorts'
  /** A set of IPVS mode has no members and should have some, or the other way round. */
  | 'setUse';

/** Which findings of one chain explain those of others. */
export interface Role {
  readonly tells?: SharedReason;
  /** Endpoints (`ip:port`) or addresses of which it tells that. */
  readonly about?: readonly string[];
  /** Another finding that tells one of these of the same Service, or of each of `each`, says it already. */
  readonly follows?: readonly SharedReason[];
  readonly each?: readonly string[];
  /** Instead of the finding's Service, which no object may have: what the rules call it. */
  readonly of?: string | undefined;
}

/** Of what stands once more for each endpoint. */
export function endpointsRole(endpoints: readonly string[]): Role {
  return { follows: ['strangers', 'lacking', 'refused', 'unknown', 'left'], each: endpoints };
}

/** Of rules that keep clients on endpoints: an endpoint that gets no traffic, or should get none, has others than it should. */
export function affinityRole(endpoints: readonly string[]): Role {
  return { tells: 'affinity', follows: ['lacking', 'strangers'], each: endpoints };
}

/** What is true of several addresses or chains, and told with the first of them: with others it follows from that. */
export function repeatedRole(tells: SharedReason, about: readonly string[], isFirst: boolean): Role {
  return isFirst ? { tells, about } : { tells, about, follows: [tells], each: about };
}

/** kube-proxy writes a rule that asks a set of IPVS mode only while the set has members: which one is there follows from that. */
export function setRuleRole(items: readonly RuleDifference[]): Role {
  const [first, ...others] = items;
  const isOneSided = first !== undefined && first.side !== 'moved' && others.every(({ side }) => side === first.side);
  const sets = items.map(({ rule }) => setNames(rule));
  return isOneSided && sets.every((own) => own.length > 0) ? { follows: ['setUse'], each: sets.flat() } : {};
}

/** A finding of one chain. */
export interface ChainFinding {
  readonly finding: Finding;
  readonly role: Role;
}

/**
 * Leaves out what follows from other findings: one update that kube-proxy lost changes many chains. The rules of what is
 * left out stand under the finding that it follows from.
 */
export function withoutConsequences(all: readonly ChainFinding[]): readonly Finding[] {
  if (all.every(({ role }) => role.follows === undefined)) return all.map(({ finding }) => finding);
  const tellers = new Map<string, Finding>();
  const folded = new Map<Finding, Finding[]>();
  const told = new Set<ChainFinding>();
  const foldIn = (one: ChainFinding) => {
    const teller = tellerOf(one, tellers);
    if (teller === undefined) return;
    addTo(folded, teller, one.finding);
    told.add(one);
    // What follows from it follows from the other.
    if (one.role.tells !== undefined) tell({ ...one, finding: teller }, tellers);
  };
  const first = all.filter(({ role }) => role.tells !== undefined && role.follows === undefined);
  for (const one of first) tell(one, tellers);
  for (const one of all.filter(({ role }) => role.tells !== undefined && role.follows !== undefined)) {
    foldIn(one);
    if (!told.has(one)) tell(one, tellers);
  }
  for (const one of all) if (one.role.tells === undefined) foldIn(one);
  return all.flatMap((one) => (told.has(one) ? [] : withRulesOf(one.finding, folded.get(one.finding) ?? [])));
}

function tell({ finding, role }: ChainFinding, tellers: Map<string, Finding>): void {
  const { tells, about = [], of: service = finding.service } = role;
  const owners = service === undefined ? [] : [service, anyPortOf(serviceOfPort(service))];
  for (const owner of owners) add(`${tells} ${owner}`);
  for (const one of about) {
    add(`${tells} ${one}`);
    for (const owner of owners) add(`${tells} ${owner} ${one}`);
  }

  function add(key: string): void {
    if (!tellers.has(key)) tellers.set(key, finding);
  }
}

/** Which finding told it already; undefined: none, or not of each. */
function tellerOf({ finding, role }: ChainFinding, tellers: ReadonlyMap<string, Finding>): Finding | undefined {
  const { follows = [], each, of: service = finding.service } = role;
  const owners = service === undefined ? [] : [service, ...(service.includes(':') ? [] : [anyPortOf(service)])];
  if (each === undefined) return toldIn(owners);
  const told = each.map((one) => toldIn(service === undefined ? [one] : owners.map((owner) => `${owner} ${one}`)));
  return told.includes(undefined) ? undefined : told[0];

  function toldIn(keys: readonly string[]): Finding | undefined {
    for (const key of keys)
      for (const reason of follows) {
        const teller = tellers.get(`${reason} ${key}`);
        if (teller !== undefined) return teller;
      }
    return undefined;
  }
}

/** A Service whose port is not known: `namespace/name` may also be a port without a name. */
function anyPortOf(service: string): string {
  return `${service}:*`;
}

function withRulesOf(finding: Finding, others: readonly Finding[]): Finding {
  const rules = [finding, ...others].flatMap((one) => one.rules ?? []);
  return others.length === 0 || rules.length === 0 ? finding : { ...finding, rules: rules.slice(0, mostRules) };
}

/** Enough to understand a finding; a report of half a million lines helps nobody. */
export const mostRules = 50;
