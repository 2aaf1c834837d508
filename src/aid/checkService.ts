import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { dumpedServices } from '../findings/dumpedServices.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type CompileInput, checking } from '../pipeline/compile.ts';
import { type LintedObjects, lintObjects } from '../pipeline/lint.ts';
import { type AidCause, aidCauseIds } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { findService } from './findService.ts';
import { nodePart } from './nodePart.ts';
import { objectPart } from './objectPart.ts';
import { policyAnswers } from './policyAnswers.ts';
import { policyPart } from './policyPart.ts';
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
  /** One for each node, by its name. */
  readonly nodes: readonly NodeRules[];
}

/** Everything that is to be said of one Service, the first cause first. Undefined: an error was reported. */
export async function checkService(question: ServiceQuestion, report: Report): Promise<ServiceCheck | undefined> {
  const { service, port, from, input, nodes } = question;
  const said: Diagnostic[] = [];
  const hold = checking((one) => said.push(one));
  const linted = input && lintObjects(input, undefined, hold.report);
  if (input !== undefined && linted === undefined) {
    for (const one of said) if (one.severity === 'error') report(one);
    return undefined;
  }
  const found = linted && findService(linted, said, service, port);
  if (found?.kind === 'cause')
    return page(question, [{ ...nothing, causes: [found.cause], looked: lookedAt(linted) }], true);
  const asked = found?.kind === 'found' ? found.asked : undefined;
  const parts: AidPart[] = [];
  const policies = asked && policyAnswers(asked);
  if (asked !== undefined) parts.push(objectPart(asked), policyPart(asked, policies, from));
  else parts.push(withoutObjects(found?.kind === 'unknown' ? found.sentence : undefined));
  const hasRules = asked === undefined || asked.service.kind === 'clusterIP';
  let isKnown = asked !== undefined;
  for (const dump of hasRules ? nodes : []) {
    const objects = asked && input && { input: withNode(input, dump, asked), asked, policies };
    const part = await nodePart(dump, { service, port, from, objects });
    isKnown ||= dumpedServices(dump).has(service);
    parts.push(part);
  }
  parts.push(nodesLeft(question, asked, hasRules));
  return page(question, parts, isKnown);
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

/** Nodes that nothing was given of. */
function nodesLeft({ nodes }: ServiceQuestion, asked: AskedService | undefined, hasRules: boolean): AidPart {
  if (!hasRules) {
    const seen = [
      `a Service of the kind ${asked?.service.kind === 'headless' ? 'headless' : 'ExternalName'} has no rules there`,
    ];
    return { ...nothing, looked: [{ what: 'nodes', seen }] };
  }
  const known = new Set(nodes.map(({ name }) => name));
  const names = asked?.cluster.manifests.nodes.map(({ value }) => value.metadata.name) ?? [];
  const left = names.filter((name) => !known.has(name));
  const how =
    '`k8snet collect -o script` prints a script that fills a folder on a node: give the folders of the nodes, behind the name';
  if (nodes.length === 0) return { ...nothing, notLooked: [{ what: 'the rules of the nodes', how }] };
  // The only dump may be of any of them.
  if (left.length === 0 || names.length - left.length < nodes.length) return nothing;
  return {
    ...nothing,
    notLooked: [{ what: `the rules of ${left.length === 1 ? 'node' : 'nodes'} ${left.join(', ')}`, how }],
  };
}

function page({ service, port }: ServiceQuestion, parts: readonly AidPart[], isKnown: boolean): ServiceCheck {
  const causes = merged(parts.flatMap((part) => part.causes));
  const isBroken = causes.some(({ isDoubt }) => !isDoubt);
  return {
    service,
    port,
    verdict: isBroken ? 'broken' : causes.length > 0 || !isKnown ? 'unknown' : 'in-order',
    causes,
    remarks: distinct(parts.flatMap((part) => part.remarks)),
    looked: parts.flatMap((part) => part.looked),
    notLooked: parts.flatMap((part) => part.notLooked),
  };
}

/** What several nodes show in the same words is one cause; what is certain stands before what is not. */
function merged(causes: readonly AidCause[]): readonly AidCause[] {
  const known = new Map<string, AidCause>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.id, cause.code, cause.sentence]);
    const before = known.get(key);
    known.set(key, before === undefined ? cause : { ...before, nodes: [...before.nodes, ...cause.nodes] });
  }
  const rank = ({ id, isDoubt }: AidCause) => aidCauseIds.indexOf(id) + (isDoubt ? aidCauseIds.length : 0);
  return [...known.values()].sort((a, b) => rank(a) - rank(b));
}

function distinct<T extends { readonly text: string }>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [one.text, one])).values()];
}
