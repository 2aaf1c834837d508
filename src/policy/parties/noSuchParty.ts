import { count } from '../../common/text/count.ts';
import { didYouMean } from '../../common/text/didYouMean.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { partyWords } from '../../common/text/partyWords.ts';
import { workloadNamed } from '../../common/text/workloadNamed.ts';
import type { PolicyModel } from '../../model/policyModel.ts';

/** Why a text means nobody: what it looks like, and what the manifests have instead. */
export function noSuchParty(model: PolicyModel, asked: string): string {
  const shown = JSON.stringify(escapeText(asked));
  const text = partyWords(asked);
  if (text === 'node' && model.nodes.length > 1)
    return `which node? ${firstFew(
      model.nodes.map(({ name }) => `node/${name}`),
      mostNamed,
    )}`;
  const workload = workloadNamed(text);
  if (workload !== undefined) {
    const { kind, id } = workload;
    const all = model.workloads.filter((one) => one.kind === kind);
    const found = all.find((one) => one.id === id);
    if (found !== undefined) return `${kind} ${id} has no Pods in the input; --assume-pods makes them up`;
    const elsewhere = all.find((one) => one.id.endsWith(id.replace(/^[^/]*/, '')))?.id;
    const ids = all.map((one) => one.id);
    return `${kind} ${id} not found${elsewhere === undefined ? meant(id, ids) : `; did you mean ${elsewhere}?`}`;
  }
  const [, node] = /^node\/(.+)$/.exec(text) ?? [];
  if (node !== undefined) {
    return `Node ${escapeText(node)} not found${meant(
      node,
      model.nodes.map(({ name }) => name),
    )}`;
  }
  const [, service] = /^svc\/(.+)$/.exec(text) ?? [];
  if (service !== undefined)
    return `Service ${escapeText(service)} sends nothing: name one of its Pods, or deploy/namespace/name`;
  const ids = model.pods.map(({ id }) => id);
  const pod = text.replace(/^pod\//, '');
  if (/^[a-z0-9.-]+\/[a-z0-9.-]+$/i.test(pod))
    return `Pod ${escapeText(pod)} not found${meant(pod, ids) || missing(model, pod)}`;
  const bare = ids.find((id) => id.endsWith(`/${pod}`));
  if (/^(?:world|any|0\.0\.0\.0\/0|::\/0)$/.test(text)) return `${shown} not found; did you mean external?`;
  if (model.nodes.some(({ name }) => name === text))
    return `${shown} not found; did you mean node/${escapeText(text)}?`;
  const hint = bare === undefined ? '' : `; did you mean ${bare}?`;
  return `${shown} not found: use namespace/pod, deploy/namespace/name, svc/namespace/name, node/name, an address, or external${hint}`;
}

const mostNamed = 5;

function meant(name: string, candidates: readonly string[]): string {
  const close = didYouMean(name, candidates);
  return close === undefined ? '' : `; did you mean ${close}?`;
}

/** The input may hold no Pods at all, or none of the namespace. */
function missing({ pods, workloads }: PolicyModel, pod: string): string {
  const namespace = pod.replace(/\/.*$/, '');
  const near = pods.filter((one) => one.namespace === namespace);
  const hasWorkloads = workloads.some(({ id }) => id.startsWith(`${namespace}/`));
  if (near.length === 0 && hasWorkloads)
    return `; the input has no Pods of namespace ${namespace}: --assume-pods makes up those of its workloads`;
  if (pods.length === 0) return '; the input has no Pods: add what `kubectl get pods -A -o yaml` prints';
  return `; the input has ${count(pods.length, 'Pod')}, ${near.length} of ${pods.length === 1 ? 'it' : 'them'} in namespace ${namespace}`;
}
