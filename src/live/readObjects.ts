import { count } from '../common/text/count.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { ClusterApi } from './clusterApi.ts';
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
  const [answers, others] = await Promise.all([
    readKinds(api, [...needs, ...uses], namespace, ofOwn),
    hasOtherPolicies ? readOtherPolicies(api, namespace) : [],
  ]);
  const take = (answer: KindAnswer, isNeeded: boolean, kind?: string) => {
    if (!reportProblem(api, answer, isNeeded, report)) isWhole = false;
    if (answer.kind === 'forbidden') hidden.add(kind ?? answer.of.kind);
    if (answer.kind === 'read') for (const item of answer.items) objects.push(objectOf(api, answer, item));
  };
  for (const [name, answer] of answers) {
    take(answer, needs.includes(name), liveKinds[name].kind);
    if (answer.kind === 'failed') break;
    if (answer.kind === 'absent' && name === 'proxyConfig') report(noProxyConfig(api));
  }
  for (const answer of others) {
    if (!isWhole) break;
    take(answer, needs.includes('networkPolicies'));
  }
  if (isWhole && partial) report(onlyNamespace(api, partial, objects.length));
  if (isWhole && namespace !== undefined) report(onlyNamespace(api, namespace, objects.length));
  return isWhole ? objects : undefined;
}

/** A namespace in which an account may read what it may not read in all. */
export interface OwnNamespace {
  readonly namespace: string;
  readonly isPartial: () => void;
}

/** In the order of the names. */
async function readKinds(
  api: ClusterApi,
  names: readonly LiveKindName[],
  namespace: string | undefined,
  own: OwnNamespace | undefined,
): Promise<readonly (readonly [LiveKindName, KindAnswer])[]> {
  const read = async (name: LiveKindName) => {
    const kind = liveKinds[name];
    const answer = await readKind(api, kind, namespace);
    const isElsewhere = answer.kind === 'forbidden' && kind.isNamespaced && kind.only === undefined;
    if (own === undefined || !isElsewhere) return [name, answer] as const;
    const within = await readKind(api, kind, own.namespace);
    if (within.kind !== 'read') return [name, answer] as const;
    own.isPartial();
    return [name, within] as const;
  };
  return Promise.all(names.map(read));
}

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
