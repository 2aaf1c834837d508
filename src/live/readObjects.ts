import { count } from '../common/text/count.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { ClusterApi } from './clusterApi.ts';
import { inTurns } from './lists/inTurns.ts';
import { objectOf, reportProblem } from './lists/kindProblem.ts';
import { type LiveKindName, type LiveNeeds, liveKinds } from './lists/liveKinds.ts';
import { type KindAnswer, readKind } from './lists/readKind.ts';
import { readOtherPolicies } from './readOtherPolicies.ts';

/**
 * The objects of a cluster that a command wants, as those of a file: each has the place `cluster prod: Service shop/web`.
 * What may not be read is named, with the rule that grants it. Undefined: there is no answer without what is missing, which
 * was reported. `hidden` gets the kinds that the account may not read. Of kinds that it may read in its `own`
 * namespace alone, those are read.
 */
export async function readObjects(
  api: ClusterApi,
  { needs, uses, hasOtherPolicies = false }: LiveNeeds,
  namespace: string | undefined,
  report: Report,
  hidden: Set<string> = new Set(),
  own?: OwnNamespace,
): Promise<readonly SourceObject[] | undefined> {
  const objects: SourceObject[] = [];
  let isWhole = true;
  let partial: string | undefined;
  const ofOwn = own && {
    namespace: own.namespace,
    isPartial: () => {
      partial = own.namespace;
      own.isPartial();
    },
  };
  for (const [name, answer] of await readKinds(api, [...needs, ...uses], namespace, ofOwn)) {
    if (!reportProblem(api, answer, needs.includes(name), report)) isWhole = false;
    if (answer.kind === 'failed') break;
    if (answer.kind === 'forbidden') hidden.add(liveKinds[name].kind);
    if (answer.kind === 'absent' && name === 'proxyConfig') report(noProxyConfig(api));
    if (answer.kind === 'read') for (const item of answer.items) objects.push(objectOf(api, answer, item));
  }
  const isAboutPolicies = needs.includes('networkPolicies');
  if (isWhole && hasOtherPolicies)
    isWhole = await readOtherPolicies(api, namespace, isAboutPolicies, objects, report, hidden);
  if (isWhole && partial) report(onlyNamespace(api, partial, objects.length));
  if (isWhole && namespace !== undefined) report(onlyNamespace(api, namespace, objects.length));
  return isWhole ? objects : undefined;
}

/** A namespace in which an account may read what it may not read in all. */
export interface OwnNamespace {
  readonly namespace: string;
  readonly isPartial: () => void;
}

/** In the order of the names, up to one without an answer. */
async function readKinds(
  api: ClusterApi,
  names: readonly LiveKindName[],
  namespace: string | undefined,
  own: OwnNamespace | undefined,
): Promise<readonly (readonly [LiveKindName, KindAnswer])[]> {
  const answers = new Map<LiveKindName, KindAnswer>();
  const read = async (name: LiveKindName) => {
    const kind = liveKinds[name];
    const answer = await readKind(api, kind, namespace);
    const isElsewhere = answer.kind === 'forbidden' && kind.isNamespaced && kind.only === undefined;
    const within = own !== undefined && isElsewhere ? await readKind(api, kind, own.namespace) : answer;
    if (within !== answer && within.kind === 'read') own?.isPartial();
    answers.set(name, within.kind === 'read' ? within : answer);
  };
  // The first request goes alone: kubectl may have to sign in, and if nobody answers it, one failure is enough.
  for (const name of names.slice(0, 1)) await read(name);
  const isAnswered = [...answers.values()].every(({ kind }) => kind !== 'failed');
  if (isAnswered) await inTurns(names.slice(1), requestsAtOnce, read);
  return names.flatMap((name) => {
    const answer = answers.get(name);
    return answer === undefined ? [] : [[name, answer] as const];
  });
}

/** The server has other clients too. */
const requestsAtOnce = 4;

function noProxyConfig({ name }: ClusterApi): Diagnostic {
  const { namespace, names } = liveKinds.proxyConfig.only ?? { namespace: '', names: [] };
  return {
    code: 'proxy-settings-unknown',
    severity: 'note',
    message: `${name} has no ConfigMap ${names.join(' or ')} in ${namespace}: kube-proxy's settings are unknown`,
    at: [],
    hint: '--config names them, --mode the mode alone',
  };
}

function onlyNamespace({ name }: ClusterApi, namespace: string, objects: number): Diagnostic {
  return {
    code: 'one-namespace-read',
    severity: 'note',
    message: `${name}: of kinds in namespaces only those of ${namespace} were read (${count(objects, 'object')} in all); others are unknown`,
    at: [],
  };
}
