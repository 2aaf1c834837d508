import { type Family, familyNames } from '../../common/addresses/family.ts';
import { addTo } from '../../common/addTo.ts';
import { onDemand } from '../../common/onDemand.ts';
import { count } from '../../common/text/count.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diffNode } from '../../diff/diffNode.ts';
import { compiledAsDumped } from '../../diff/settle/compiledAsDumped.ts';
import { type CompiledForDump, compileForDump } from '../../diff/settle/compileForDump.ts';
import { diagnoseNode } from '../../doctor/diagnoseNode.ts';
import { showsInterfaces } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { expectedRules } from '../../pipeline/expected/expectedRules.ts';
import type { DiffReport } from '../../report/diffReport.ts';
import { hiddenBySome, labelThatHides } from '../../resolve/hidingLabels.ts';
import { holdsMode, showsFamily } from '../../seen/modes/holdsMode.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { objectsOfManifests } from '../../trace/known/objectsOfManifests.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { createNodeTracer } from '../../trace/nodeTracer.ts';
import { leftOnNodes, leftToOther } from '../leftToOther.ts';
import { proxyCause } from '../proxyCause.ts';
import type { AidGap, AidLook, AidPart } from '../serviceCheck.ts';
import { fateText } from './fateText.ts';
import { type NodeCauses, nodeCauses, ofRules } from './nodeCauses.ts';
import { modeGiven, type NodeQuestion } from './nodeQuestion.ts';
import type { PlannedRules } from './nodeSeen.ts';
import { isWalked, type NodeWalk, nodeWalks, type Walked } from './nodeWalks.ts';

/** What the page says about a node, and its name. */
export interface NodePart extends AidPart {
  readonly node: string;
}

/**
 * What one node does with the Service: its rules beside those that should be there, what the dump says by itself, and
 * what becomes of packets. Findings and causes are those of `diff`, `doctor` and `why`; here they are only chosen.
 */
export async function nodePart(dump: NodeRules, question: NodeQuestion): Promise<NodePart> {
  const said: Diagnostic[] = [];
  const expected = question.objects && compileForDump(question.objects.input, dump, (one) => said.push(one));
  // What the program of another mode shows says nothing: neither that rules are lost nor where packets go.
  if (expected !== undefined && !holdsMode(dump, expected.compiled.model.config.mode))
    return unseenPart(nodeNameOf(dump, expected), whyNotCompared(dump, question, { expected, said }));
  const label = expected && hidingLabel(expected, question);
  if (label !== undefined) return leftPart(nodeNameOf(dump, expected), label);
  const own = expected && objectsOfManifests(expected.compiled, false);
  const tracer = createNodeTracer(dump, own?.objects);
  const { walks, leftOut } = nodeWalks(dump, own?.objects, tracer, question);
  const diagnosed = diagnoseNode(dump, own?.objects);
  const reason = whyNotCompared(dump, question, { expected, said, diagnosed });
  const compared = expected && reason === undefined ? await compareNode(expected, question) : undefined;
  const reports = [...(compared === undefined ? [] : [compared]), diagnosed];
  const node = nodeNameOf(dump, expected);
  const planned = own && expected && plannedRules(expected, own.objects, dump);
  const mode = expected?.compiled.model.config.mode;
  const isInPart = mode !== undefined && proxySeen(dump).of(mode).gaps.length > 0;
  const found = nodeCauses({ node, dump, question, walks, reports, tracer, planned });
  const proxy = question.objects && proxyCause(question.objects.asked, node);
  const isStale = found.causes.some(({ code }) => ofRules.has(code));
  return {
    node,
    causes: [...(proxy !== undefined && isStale ? [proxy] : []), ...found.causes],
    remarks: [
      ...(proxy !== undefined && !isStale
        ? [{ text: `node ${node}: ${proxy.what}`, of: { node, like: proxy.what } }]
        : []),
      ...found.remarks,
    ],
    looked: [lookOf(node, comparedTexts(compared && expected, found, isInPart), walks)],
    notLooked: [
      ...(reason === undefined ? [] : [uncompared(node, reason)]),
      ...walkGaps(node, walks, leftOut),
      ...factGaps(node, dump, walks),
    ],
    ...((isInPart || compared === undefined) && !walks.some(isKnown) && { isUnseen: true as const }),
  };
}

/** The label that leaves the Service to another proxy in the version of kube-proxy that the node shows, if not in all. */
function hidingLabel(expected: CompiledForDump, { objects, service }: NodeQuestion): string | undefined {
  const label = objects && labelThatHides(objects.asked.manifest.value, hiddenBySome.services);
  return label !== undefined && compiledAsDumped(expected).withoutRules.has(service) ? label : undefined;
}

function leftPart(node: string, label: string): NodePart {
  const text = `node ${node}: its version of kube-proxy leaves the Service to another proxy, because of the label ${label}: ${leftToOther}`;
  const remarks = [{ text, of: { node, like: label } }];
  const looked = [{ what: `node ${node}`, seen: [leftOnNodes] }];
  return { node, causes: [], remarks, looked, notLooked: [], isUnseen: true };
}

function isKnown(walk: NodeWalk): boolean {
  return walk.kind === 'walked' && walk.why.verdict !== 'unknown';
}

/** What the node should have. Few of these rules are walked, and only where a packet fails. */
function plannedRules(expected: CompiledForDump, objects: TraceObjects, { network }: NodeRules): PlannedRules {
  return onDemand<PlannedRules>({
    objects: () => objects,
    rules: () => ({
      ...expectedRules(compiledAsDumped(expected), { hasNfacct: false }, { isOnDemand: true }).rules,
      network,
    }),
  });
}

function unseenPart(node: string, how = ''): NodePart {
  return { node, causes: [], remarks: [], looked: [], notLooked: [uncompared(node, how)], isUnseen: true };
}

function uncompared(node: string, how: string): AidGap {
  const of = { node, like: `not compared: ${how}` };
  return { what: `whether node ${node} has the rules that it should have`, how, of };
}

function lookOf(node: string, compared: readonly string[], walks: readonly NodeWalk[]): AidLook {
  const walked = walks.filter(isWalked);
  const texts = (name: 'label' | 'like') => [...compared, ...walked.map((walk) => walkText(walk, name))];
  return { what: `node ${node}`, seen: texts('label'), of: { node, like: texts('like').join('\n') } };
}

interface Compared {
  readonly expected: CompiledForDump | undefined;
  /** Of making it. */
  readonly said: readonly Diagnostic[];
  readonly diagnosed?: DiffReport;
}

/** Why the rules cannot be compared with those that should be there, or what that takes. */
function whyNotCompared(
  dump: NodeRules,
  question: NodeQuestion,
  { expected, said, diagnosed }: Compared,
): string | undefined {
  if (question.objects === undefined) return 'give the objects of the cluster with -f';
  if (expected === undefined) return said.find(({ severity }) => severity === 'error')?.message ?? '';
  const { mode } = expected.compiled.model.config;
  if (!holdsMode(dump, mode)) return `the dump holds nothing of kube-proxy's mode, which is ${mode}: add it`;
  const families = new Set(question.objects.asked.servicePorts.map(({ family }) => family));
  const unseen = [...families].filter((family) => !showsFamily(dump, mode, family));
  if (unseen.length > 0)
    return `the dump holds nothing of kube-proxy's rules for ${unseen.map((one) => familyNames[one]).join(' and ')}: add them`;
  const hasTwo = diagnosed?.findings.some(({ code }) => code === 'K8N211');
  if (modeGiven(question) !== undefined || !hasTwo) return undefined;
  return "the node has rules of two modes: name kube-proxy's with --mode, or give its configuration with --config";
}

/** The Service that is asked for is judged all the same: who asks hears that its rules may be those of a moment ago. */
function compareNode(
  expected: CompiledForDump,
  { objects, service, changing = new Set() }: NodeQuestion,
): Promise<DiffReport> {
  const others = new Set([...changing].filter((one) => one !== service));
  const family = objects?.input.target.family ?? 'both';
  return diffNode(expected, { level: 'rules', hasNfacct: false, family, changing: others });
}

function nodeNameOf(dump: NodeRules, expected: CompiledForDump | undefined): string {
  const { node } = expected?.compiled.model ?? {};
  return node === undefined || node.isNameless || expected?.isNodeUnknown ? dump.name : node.name;
}

function comparedTexts(
  expected: CompiledForDump | undefined,
  { isDifferent, isOdd }: NodeCauses,
  isInPart: boolean,
): readonly string[] {
  if (expected === undefined) return [];
  const { mode } = expected.compiled.model.config;
  const said = isDifferent
    ? 'not as they should be'
    : `as they should be${isOdd ? ', but for what is worth knowing' : ''}`;
  return [`rules of ${mode} mode: ${said}${isInPart && !isDifferent ? ', as far as they are shown' : ''}`];
}

/** `a packet from the node to 10.96.0.10:80/tcp: arrives`. */
function walkText(walk: Walked, name: 'label' | 'like'): string {
  return `a packet ${walk[name]}: ${fateText(walk)}`;
}

function walkGaps(node: string, walks: readonly NodeWalk[], leftOut: number): readonly AidGap[] {
  const gaps = walks.flatMap((walk): readonly AidGap[] => {
    const what = `node ${node}: a packet ${walk.label}`;
    const gap = (how: string): readonly AidGap[] => [{ what, how, of: { node, like: `${walk.like}: ${how}` } }];
    if (walk.kind === 'problem') return gap(walk.message);
    return walk.isPlaceUnknown ? gap('give the objects with -f, or name a Pod of this node with --from') : [];
  });
  const all = [...gaps, ...unknownGaps(node, walks)];
  if (leftOut === 0) return all;
  const more = count(leftOut, 'further packet');
  const how = 'ask for one port: NAME:PORT';
  return [...all, { what: `node ${node}: ${more}`, how, of: { node, like: more } }];
}

/** What becomes of packets is unknown: those of one reason are told together. */
function unknownGaps(node: string, walks: readonly NodeWalk[]): readonly AidGap[] {
  const alike = new Map<string, Walked[]>();
  for (const walk of walks) {
    if (walk.kind === 'problem' || walk.isPlaceUnknown || walk.why.verdict !== 'unknown') continue;
    const [cause] = walk.why.causes;
    addTo(alike, JSON.stringify([cause?.what, cause?.fix]), walk);
  }
  return [...alike.values()].map((group): AidGap => {
    const [cause] = group[0]?.why.causes ?? [];
    const packets = (names: readonly string[], most: number) =>
      names.length === 1 ? `a packet ${names[0]}` : `${names.length} packets (${firstFew(names, most)})`;
    const what = packets(
      group.map(({ label }) => label),
      2,
    );
    const like = packets(
      group.map((walk) => walk.like),
      group.length,
    );
    return {
      what: `node ${node}: ${what}: ${cause?.what ?? ''}`,
      how: cause?.fix ?? '',
      of: { node, like: `${like}: ${cause?.code ?? ''}` },
    };
  });
}

/** What decides beside rules and was not given. */
function factGaps(node: string, { network }: NodeRules, walks: readonly NodeWalk[]): readonly AidGap[] {
  const missing = [
    ...(showsInterfaces(network) ? [] : ['addresses (`ip -d addr show`)']),
    ...routesMissing(network, walks),
    ...(network.sysctls.size > 0 ? [] : ['sysctls (`sysctl -a`)']),
  ];
  if (missing.length === 0) return [];
  const what = missing.join(', ');
  const how = '`k8snet collect` names all that is worth giving';
  return [{ what: `node ${node}: ${what}`, how, of: { node, like: what } }];
}

/** Each family of the packets has a listing of its own. */
function routesMissing({ routes }: NodeRules['network'], walks: readonly NodeWalk[]): readonly string[] {
  if (routes.length === 0) return ['routes (`ip route show table all`)'];
  const walked = new Set(walks.flatMap((walk) => (walk.kind === 'walked' ? [walk.result.packet.family] : [])));
  const missing = (['ipv4', 'ipv6'] as const).filter(
    (family) => walked.has(family) && !routes.some((route) => route.family === family),
  );
  return missing.map((family) => `${familyNames[family]} routes (\`ip ${ipFlags[family]} route show table all\`)`);
}

const ipFlags: Readonly<Record<Family, string>> = { ipv4: '-4', ipv6: '-6' };
