import { isOnWay, type Way, wayOf } from '../../behaviour/outcome/way.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Evidence } from '../../diagnostics/problem.ts';
import { syncChecks } from '../../findings/checks/node/syncChecks.ts';
import type { Finding } from '../../findings/finding.ts';
import { isLeftOf } from '../../findings/isLeftOf.ts';
import { textAt } from '../../node/lines/textAt.ts';
import type { DiffReport } from '../../report/diffReport.ts';
import { fixOf } from '../../report/fixOf.ts';
import { isFailing } from '../../report/isFailing.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import type { NodeTracer } from '../../trace/nodeTracer.ts';
import type { Cause } from '../../why/cause.ts';
import type { AidCause } from '../aidCause.ts';
import type { AidRemark } from '../serviceCheck.ts';
import { fateText } from './fateText.ts';
import { causeOfFinding, causeOfWhy, concernsAll, showsFailure } from './findingKinds.ts';
import { isAsked, modeGiven, type NodeQuestion } from './nodeQuestion.ts';
import type { NodeSeen } from './nodeSeen.ts';
import { isWalked, type Walked } from './nodeWalks.ts';
import { byDesign, meantText, plannedSide } from './plannedSide.ts';
import { unservedPorts } from './unservedPorts.ts';

export interface NodeCauses {
  readonly causes: readonly AidCause[];
  readonly remarks: readonly AidRemark[];
  /** The comparison has a failing finding about the Service, or about all. */
  readonly isDifferent: boolean;
  /** A remark is about rules that are not as they should be, and stop nothing. */
  readonly isOdd: boolean;
}

/**
 * Findings that are about the Service, or on the way of its packets, are causes if they say that something is wrong for
 * certain, or if a packet fails where they are. A packet that fails and meets no finding has the cause that `why` names.
 */
export function nodeCauses(seen: NodeSeen): NodeCauses {
  const { question, walks, reports, node, planned } = seen;
  const walked = walks.filter(isWalked);
  const failing = walked.filter(({ why }) => why.verdict === 'fails');
  const expected = plannedSide(seen, failing);
  // A packet that the Service itself keeps out does not show a fault.
  const unmeant = failing.filter((walk) => {
    const cause = causeOfWalk(walk);
    return planned === undefined || cause === undefined || !expected.isMeant(walk, cause);
  });
  const foundWays = unmeant.map((walk) => wayAt(walk, seen.tracer));
  const ways = [
    ...foundWays,
    ...expected.ways,
    ...walked.filter((walk) => !unmeant.includes(walk)).map((walk) => wayAt(walk, seen.tracer)),
  ];
  const isOn = (list: readonly Way[], finding: Finding) => list.some((way) => isOnWay(finding, way));
  const isOwn = ({ service, services = [] }: Finding) => [service, ...services].some((one) => isAsked(question, one));
  const isOfNode = ({ service, services = [] }: Finding) => service === undefined && services.length === 0;
  const causes: AidCause[] = [];
  const remarks: AidRemark[] = [];
  let isOdd = false;
  const told = new Set<string>();
  const remarked = new Map<string, DiffReport>();
  for (const { finding, report } of distinct(reports)) {
    if (finding.code === 'K8N217' || isOfOtherFamily(finding, question)) continue;
    const own = isOwn(finding);
    const left = isLeftOf(finding, question.service);
    const isNear = own || left || (isOfNode(finding) && (concernsAll.has(finding.code) || isOn(ways, finding)));
    if (!isNear) continue;
    const meetsFailure = isOn(isError(finding) ? [...foundWays, ...expected.ways] : foundWays, finding);
    const isSure = isError(finding) ? own || concernsAll.has(finding.code) : showsFailure.has(finding.code);
    if (isFailing(finding) && (isSure || (meetsFailure && isPlaced(finding))))
      causes.push(causeOf(finding, report, seen, unmeant));
    else if ((own || left) && !isPlain.has(finding.code) && isNews(finding, report, remarked)) {
      remarks.push({ ...said(node, finding.what), code: finding.code });
      isOdd ||= isFailing(finding) && (finding.rules ?? []).length > 0;
    }
    for (const { file, line } of finding.found) told.add(`${file}:${line}`);
  }
  const meant = new Map<string, MeantPackets>();
  const unserved = unservedPorts(seen);
  if (unserved.cause !== undefined) causes.push(unserved.cause);
  for (const walk of failing) {
    if (unserved.walks.has(walk)) continue;
    const cause = causeOfWalk(walk);
    if (cause === undefined || cause.evidence.some((one) => one.kind === 'rule' && told.has(`${one.file}:${one.line}`)))
      continue;
    const isRight = planned !== undefined && causes.length === 0 && byDesign.has(cause.code);
    if (isRight || expected.isMeant(walk, cause)) {
      const { code } = cause;
      const text = meantText(walk, cause, question);
      const key = JSON.stringify([walk.door, code, text]);
      const known = meant.get(key) ?? { door: walk.door, code, text, senders: [] };
      known.senders.push(walk.sender);
      meant.set(key, known);
    } else if (!causes.some(({ code }) => explains.has(code))) causes.push(causeOfPacket(walk, cause, node));
  }
  remarks.push(...[...meant.values()].map((packets) => meantRemark(node, packets)));
  const isDifferent = causes.some(({ code }) => ofRules.has(code));
  const syncs = syncChecks(seen.dump).map((finding) => finding.what);
  if (!isDifferent) remarks.push(...syncs.map((text) => ({ ...said(node, text), code: 'K8N217' })));
  const explained = causes.map((cause) => (ofRules.has(cause.code) ? withSyncs(cause, syncs) : cause));
  return { causes: judgedByMode(explained, seen), remarks, isDifferent, isOdd };
}

/** The first that says for certain why the packet fails. */
function causeOfWalk({ why }: Walked): Cause | undefined {
  return why.causes.find(({ code, isUnknown }) => causeOfWhy[code] !== undefined && !isUnknown);
}

/** Packets to one address that somebody wants to fail, for one reason. */
interface MeantPackets {
  readonly door: string;
  readonly code: Cause['code'];
  readonly text: string;
  readonly senders: Walked['sender'][];
}

function meantRemark(node: string, { door, code, text, senders }: MeantPackets): AidRemark {
  const names = (name: 'who' | 'kind') => senders.map((sender) => sender[name]).join(', ');
  const what = senders.length === 1 ? 'a packet' : 'packets';
  return {
    text: `node ${node}: ${what} from ${names('who')} to ${door}: ${text}`,
    of: { node, like: `from ${names('kind')} to ${door}: ${code}` },
  };
}

/** Nodes of which the same is said have addresses of their own. */
function said(node: string, what: string): AidRemark {
  return { text: `node ${node}: ${what}`, of: { node, like: what.replace(/\((?:[\d.]+|[\da-f:]+)\)/g, '()') } };
}

/** The comparison and the dump by itself say the same in other words. */
function isNews({ code, service }: Finding, report: DiffReport, remarked: Map<string, DiffReport>): boolean {
  const key = `${code} ${service}`;
  const before = remarked.get(key) ?? report;
  remarked.set(key, before);
  return before === report;
}

/** A setting for IPv6 does not affect a Service without IPv6. */
function isOfOtherFamily({ family }: Finding, { objects }: NodeQuestion): boolean {
  return (
    family !== undefined && objects !== undefined && !objects.asked.servicePorts.some((port) => port.family === family)
  );
}

/** kube-proxy's report about its syncs explains why the rules are not as they should be. */
function withSyncs(cause: AidCause, syncs: readonly string[]): AidCause {
  const facts = syncs.map((text): Evidence => ({ kind: 'fact', text }));
  return { ...cause, evidence: [...facts, ...cause.evidence] };
}

/** That a dump has no rule of kube-proxy is a fault only if it would show those of the mode. */
function judgedByMode(causes: readonly AidCause[], { dump, question }: NodeSeen): readonly AidCause[] {
  const absence = proxySeen(dump).absence;
  if (absence === undefined) return causes;
  const mode = modeGiven(question);
  const unseen = absence.unseen.filter(
    (place) => mode === undefined || (place === 'nft') === (modeFacts[mode].rulesIn === 'nftables'),
  );
  const isElsewhere = absence.planes.length + unseen.length > 0;
  return isElsewhere ? causes.map((cause) => ({ ...cause, isDoubt: true })) : causes;
}

/** What kube-proxy itself would mend. */
export const ofRules: ReadonlySet<string> = new Set(['no-rules', 'service-missing', 'rules-damaged']);

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** Statements about the whole node are not on any packet's way. */
function isPlaced({ found, rules = [] }: Finding): boolean {
  return found.length + rules.length > 0;
}

/** Remarks that every page of such a Service would have. */
const isPlain: ReadonlySet<string> = new Set(['K8N407', 'K8N501']);

/** What makes packets fail at the node: what `why` says then is the same in other words. */
const explains: ReadonlySet<string> = new Set([
  'no-rules',
  'service-missing',
  'rules-damaged',
  'two-modes',
  'kernel-setting',
  'other-program',
]);

function distinct(
  reports: readonly DiffReport[],
): readonly { readonly finding: Finding; readonly report: DiffReport }[] {
  const known = new Map<string, { readonly finding: Finding; readonly report: DiffReport }>();
  for (const report of reports) {
    for (const finding of report.findings) {
      const places = finding.found.map(({ file, line }) => `${file}:${line}`).join();
      const key = `${finding.code} ${finding.service} ${places === '' ? finding.what : places}`;
      if (!known.has(key)) known.set(key, { finding, report });
    }
  }
  // Of two in one rule the graver one is what is wrong with it.
  return [...known.values()].sort((a, b) => gravity(a.finding) - gravity(b.finding));
}

function gravity({ severity }: Finding): number {
  return ['error', 'warning', 'info'].indexOf(severity);
}

function wayAt({ result }: Walked, tracer: NodeTracer): Way {
  return wayOf(result, tracer.tracerOf(result.packet.family).input);
}

function causeOf(finding: Finding, report: DiffReport, seen: NodeSeen, failing: readonly Walked[]): AidCause {
  const { node, dump, planned } = seen;
  const { code, why, places: expected, found, rules = [] } = finding;
  const places = found
    .slice(0, mostShown)
    .map((place) => ({ kind: 'rule', text: textAt(dump, place) ?? '', ...place }) as const);
  const isShown = (text: string) => places.some((place) => place.text === text);
  const facts = [
    ...rules
      .slice(0, mostShown)
      .flatMap(({ expected: should, found: is }) => [
        ...(should === undefined ? [] : [`should be: ${should}`]),
        ...(is === undefined || isShown(is) ? [] : [`is: ${is}`]),
      ]),
    ...ofPort(failing, finding)
      .slice(0, 1)
      .map((walk) => `a packet ${walk.label} ${fateText(walk)}`),
  ];
  const [origin] = expected;
  return {
    code: causeOfFinding(finding),
    what: `${finding.what}.`,
    why: `${why.replace(/\.$/, '')}.`,
    evidence: [
      ...places,
      ...facts.map((text): Evidence => ({ kind: 'fact', text })),
      ...(origin === undefined ? [] : [{ kind: 'object', text: 'as the objects have it', origin } as const]),
    ],
    fix: fixOf(finding, { names: { ...planned?.objects.fixNames, ...report.names } }),
    nodes: [node],
    detail: code,
  };
}

/** What shows the finding: packets to the Service port that it is about. */
function ofPort(walks: readonly Walked[], { service, services = [] }: Finding): readonly Walked[] {
  const ports = [...(service === undefined ? [] : [service]), ...services];
  if (ports.length === 0) return walks;
  return walks.filter(({ servicePort }) => ports.includes(servicePort) || ports.includes(serviceOfPort(servicePort)));
}

const mostShown = 3;

function causeOfPacket(walk: Walked, { code, what: sentence, evidence, fix }: Cause, node: string): AidCause {
  return {
    code: causeOfWhy[code] ?? 'packet-lost',
    what: `a packet ${walk.label} ${fateText(walk)}: ${sentence}`,
    evidence,
    fix,
    nodes: [node],
    of: { node, like: `${walk.like}: ${code}` },
  };
}
