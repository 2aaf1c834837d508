import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { compareKubeVersions } from '../dialect/version.ts';
import { newestShown } from '../diff/settle/versionsShown.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { checking } from '../pipeline/checking.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import { type LintedObjects, lintObjects } from '../pipeline/lint.ts';
import { shareChecks } from '../pipeline/sharing.ts';
import { aliasesOf } from '../problems/problemCatalogue.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { type AidCause, aidCauseCodes } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { knowsEndpoints } from './endpointCauses.ts';
import { findService } from './findService.ts';
import { leftOnNodes } from './leftToOther.ts';
import { nodePart } from './node/nodePart.ts';
import { objectPart } from './objectPart.ts';
import { policyAnswers } from './policyAnswers.ts';
import { policyPart } from './policyPart.ts';
import { senderMeant } from './senderMeant.ts';
import type { AidPart, ServiceCheck } from './serviceCheck.ts';

/** Which Service is asked about, and all that was read, from files or from a cluster. */
export interface ServiceQuestion {
  /** `namespace/name`. */
  readonly service: string;
  /** Name or number; undefined: all ports. */
  readonly port?: string | undefined;
  /** Who cannot reach it, as `why` takes it; undefined: everybody is asked about. */
  readonly from?: string | undefined;
  /** Undefined: no objects were given. */
  readonly input: CompileInput | undefined;
  /** The objects are all that the cluster has: an absent kind is absent there too. */
  readonly isWhole?: boolean | undefined;
  /** Kinds that the account may not read: `Pod`. */
  readonly hidden?: ReadonlySet<string> | undefined;
  /** Services (`namespace/name`) that changed while objects and nodes were read. */
  readonly changing?: ReadonlySet<string> | undefined;
  /** One for each node, by its name. */
  readonly nodes: readonly NodeRules[];
  /** Nodes of the cluster that were asked and could not be read, which was said. */
  readonly unread?: readonly string[] | undefined;
}

/** The whole check of one Service, the first cause first. Undefined: an error was reported. */
export async function checkService(question: ServiceQuestion, report: Report): Promise<ServiceCheck | undefined> {
  const { service, port, input, nodes } = question;
  const said: Diagnostic[] = [];
  const hold = checking((one) => said.push(one));
  const linted = input && lintObjects(asShown(input, nodes), {}, hold.report);
  if (input !== undefined && linted === undefined) {
    for (const one of said) if (one.severity === 'error') report(one);
    return undefined;
  }
  const found = linted && findService(linted, said, service, port, wholeOf(question));
  if (found?.kind === 'cause')
    return page(question, [{ ...nothing, causes: [found.cause], looked: lookedAt(linted) }], true);
  const asked = found?.kind === 'found' ? found.asked : undefined;
  const parts: AidPart[] = [];
  const sender = asked && question.from !== undefined ? senderMeant(asked, question.from) : undefined;
  if (sender !== undefined && 'problem' in sender) {
    report({ code: 'bad-option', severity: 'error', message: sender.problem, at: [] });
    return undefined;
  }
  const from = sender?.from ?? question.from;
  const policies = asked && policyAnswers(asked);
  if (asked !== undefined) parts.push(objectPart(asked), policyPart(asked, policies, from));
  else parts.push(withoutObjects(found?.kind === 'unknown' ? found.sentence : undefined));
  const isLeft = asked?.hidingLabel !== undefined;
  const hasRules = asked === undefined || (asked.service.kind === 'clusterIP' && !isLeft);
  let isKnown = asked !== undefined && !isLeft && (asked.service.kind === 'externalName' || knowsEndpoints(asked));
  const seen = new Set<string>();
  // The nodes have one input.
  const shared = input && { ...input, sharing: input.sharing ?? shareChecks({ repeatsProblems: true }) };
  for (const dump of hasRules ? nodes : []) {
    const objects = asked && shared && { input: withNode(shared, dump, asked), asked, policies };
    const { node, ...part } = await nodePart(dump, { service, port, from, objects, changing: question.changing });
    isKnown ||= objects !== undefined || proxySeen(dump).names.has(service);
    seen.add(node);
    parts.push(question.changing?.has(service) ? whileChanging(part, node) : part);
  }
  parts.push(nodesLeft(question, asked, hasRules ? seen : undefined));
  return page(question, parts, isKnown);
}

/** Where nobody names the version of kube-proxy, it is the newest that the nodes show: others read objects otherwise. */
function asShown(input: CompileInput, nodes: readonly NodeRules[]): CompileInput {
  const shown = nodes.map((dump) => newestShown(dump, []));
  const shownVersion = (mode: ProxyMode) =>
    shown
      .flatMap((versionIn) => versionIn(mode) ?? [])
      .sort(compareKubeVersions)
      .at(-1);
  return { ...input, shownVersion };
}

function wholeOf({
  isWhole = false,
  hidden,
}: ServiceQuestion): Pick<AskedService, 'hasAllSlices' | 'hasAllPods' | 'hasAllPolicies'> {
  const hasAll = (kind: string) => isWhole && hidden?.has(kind) !== true;
  return { hasAllSlices: isWhole, hasAllPods: hasAll('Pod'), hasAllPolicies: hasAll('NetworkPolicy') };
}

/** Its rules may be those of a moment ago: what they lack is no fault yet. */
function whileChanging(part: AidPart, node: string): AidPart {
  const text = `node ${node}: the Service or its endpoints changed while this was read, so its rules are not judged: read both again`;
  const causes = part.causes.map((cause): AidCause => ({ ...cause, isDoubt: true }));
  return { ...part, causes, remarks: [...part.remarks, { text, of: { node, like: 'changed' } }] };
}

const nothing: AidPart = { causes: [], remarks: [], looked: [], notLooked: [] };

/** A dump that bears the name of a Node is of that Node. */
function withNode(input: CompileInput, { name }: NodeRules, { cluster }: AskedService): CompileInput {
  const isNode = cluster.manifests.nodes.some(({ value }) => value.metadata.name === name);
  return input.target.node === undefined && isNode ? { ...input, target: { ...input.target, node: name } } : input;
}

function lookedAt(linted: LintedObjects | undefined): AidPart['looked'] {
  return linted === undefined ? [] : [{ what: 'objects', seen: [`${linted.cluster.services.length} Services`] }];
}

function withoutObjects(sentence: string | undefined): AidPart {
  const how =
    'give them with -f: `kubectl get services,endpointslices,pods,nodes,namespaces,networkpolicies -A -o yaml`';
  return { ...nothing, notLooked: [{ what: sentence === undefined ? 'objects' : `objects: ${sentence}`, how }] };
}

/** What the objects and dumps that were given may lack. `seen`: names of nodes; undefined: none has rules for the Service. */
function nodesLeft(
  { isWhole, hidden = new Set(), unread = [] }: ServiceQuestion,
  asked: AskedService | undefined,
  seen: ReadonlySet<string> | undefined,
): AidPart {
  const manifests = asked?.cluster.manifests;
  const hasPolicies = isWhole || manifests === undefined || manifests.networkPolicies.length > 0;
  const policies = [
    ...[...hidden].map((kind) => ({ what: `objects of kind ${kind}: the account may not read them`, how: roleSaid })),
    ...(hasPolicies
      ? []
      : [
          {
            what: 'NetworkPolicies: the objects hold none',
            how: 'if the cluster has some: `kubectl get networkpolicies,namespaces -A -o yaml`',
          },
        ]),
  ];
  if (seen === undefined) {
    return { ...nothing, looked: [{ what: 'nodes', seen: [whyNoRules(asked)] }], notLooked: policies };
  }
  const names = manifests?.nodes.map(({ value }) => value.metadata.name) ?? [];
  const left = names.filter((name) => !seen.has(name) && !unread.includes(name));
  const how =
    '`k8snet collect -o script` prints a script that fills a folder on a node: give the folders of the nodes, behind the name';
  const unnamed = `the rules of ${seen.size === 0 ? 'the' : 'further'} nodes`;
  const whose =
    left.length === 0 ? unnamed : `the rules of ${left.length === 1 ? 'node' : 'nodes'} ${firstFew(left, 6)}`;
  const isAll = names.length + unread.length > 0 && left.length === 0;
  const failed = unread.map((name) => ({
    what: `the rules of node ${name}: it could not be read`,
    how: otherWays,
    of: { node: name, like: 'could not be read' },
  }));
  return { ...nothing, notLooked: [...policies, ...failed, ...(isAll ? [] : [{ what: whose, how }])] };
}

function whyNoRules(asked: AskedService | undefined): string {
  if (asked?.hidingLabel !== undefined) return leftOnNodes;
  return `${asked?.service.kind === 'headless' ? 'a headless Service' : 'an ExternalName'} has no rules there`;
}

const roleSaid = 'the warning names the rule of a role that grants it';
const otherWays = 'the warning says why; `--via` names other ways to a node';

function page({ service, port }: ServiceQuestion, parts: readonly AidPart[], isKnown: boolean): ServiceCheck {
  const causes = merged(parts.flatMap((part) => part.causes));
  const isBroken = causes.some(({ isDoubt }) => !isDoubt);
  const isOpen = !isKnown || parts.some(({ isUnseen }) => isUnseen);
  return {
    service,
    port,
    verdict: isBroken ? 'broken' : causes.length > 0 || isOpen ? 'unknown' : 'in-order',
    causes,
    remarks: distinct(parts.flatMap((part) => part.remarks)).filter(({ code }) => !isCause(code, causes)),
    looked: parts.flatMap((part) => part.looked),
    notLooked: parts.flatMap((part) => part.notLooked),
  };
}

/** What several nodes show in the same words is one cause; what is certain stands before what is not. */
function merged(causes: readonly AidCause[]): readonly AidCause[] {
  const known = new Map<string, AidCause>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.code, cause.detail, cause.what]);
    const before = known.get(key);
    // Both families of a node may show it.
    const nodes = [...new Set([...(before?.nodes ?? []), ...cause.nodes])];
    known.set(key, before === undefined ? cause : { ...before, nodes });
  }
  const rank = ({ code, isDoubt }: AidCause) => aidCauseCodes.indexOf(code) + (isDoubt ? aidCauseCodes.length : 0);
  return [...known.values()].sort((a, b) => rank(a) - rank(b));
}

/** A remark of each node about what is the cause already tells nothing. */
function isCause(code: string | undefined, causes: readonly AidCause[]): boolean {
  if (code === undefined) return false;
  const names = new Set([code, ...aliasesOf(code)]);
  return causes.some((cause) => cause.nodes.length === 0 && cause.detail !== undefined && names.has(cause.detail));
}

function distinct<T extends { readonly text: string }>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [one.text, one])).values()];
}
