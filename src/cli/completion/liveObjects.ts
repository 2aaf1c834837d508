import type { ClusterApi } from '../../live/clusterApi.ts';
import { runProgram } from '../../live/kubectl/runProgram.ts';
import { type LiveKindName, liveKinds } from '../../live/lists/liveKinds.ts';
import { readKind } from '../../live/lists/readKind.ts';
import { kubectlWords, type LiveOptions } from '../../live/liveOptions.ts';
import type { NamedObject } from './namedObject.ts';
import type { NameKind } from './valueKinds.ts';

/**
 * Objects of the cluster that `--live` would read, as far as they include names of these kinds. People do not wait long
 * after a key, and must not be asked for a password: kubectl has two seconds, and what it cannot read has no names.
 */
export async function liveObjects(kinds: readonly NameKind[], options: LiveOptions): Promise<readonly NamedObject[]> {
  const { namespace, ...cluster } = options;
  const words = kubectlWords({ ...cluster, requestTimeout: patience });
  const api: ClusterApi = {
    name: 'cluster',
    get: async (path) => {
      const { kind, status, output } = await runProgram([...words, 'get', '--raw', path], { timeout: patience });
      return kind === 'ended' && status === 0
        ? { kind: 'found', text: output.toString() }
        : { kind: 'failed', message: '' };
    },
    follow: async () => ({ kind: 'failed', message: '' }),
  };
  const wanted = [...new Set(kinds.flatMap((kind) => resourcesOf[kind]))];
  const lists = await Promise.all(
    wanted.map(async (name) => {
      const read = await readKind(api, liveKinds[name], namespace);
      return read.kind === 'read' ? read.items.map((value) => ({ kind: read.of.kind, value })) : [];
    }),
  );
  return lists.flat();
}

const patience = 2000;

const resourcesOf: Readonly<Record<NameKind, readonly LiveKindName[]>> = {
  service: ['services'],
  typedService: ['services'],
  servicePort: ['services'],
  pod: ['pods'],
  typedPod: ['pods'],
  policy: ['networkPolicies'],
  node: ['nodes'],
  nodeParty: ['nodes'],
  liveNode: ['nodes'],
  workload: [],
  namespace: ['namespaces'],
  typedNamespace: ['namespaces'],
  door: ['pods', 'services'],
  chain: [],
};
