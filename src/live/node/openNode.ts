import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import type { ClusterApi } from '../clusterApi.ts';
import { reportProblem } from '../lists/kindProblem.ts';
import type { LiveOptions } from '../liveOptions.ts';
import { type AgentPod, agentPodsIn, findAgentPods } from './findAgentPods.ts';
import { findProxyPods, type ProxyPod, proxyPodsIn } from './findProxyPods.ts';
import type { NodeAccess } from './nodeAccess.ts';
import { openDebugPod } from './openDebugPod.ts';
import { podProgram } from './podProgram.ts';

/**
 * How nodes are reached: usually through the Pod of k8snet's agent if there is one, otherwise through kube-proxy's Pod;
 * through only one of these, on this machine, by ssh (host: the node's name), or through a temporary Pod.
 */
export type Via =
  | { readonly kind: 'usual' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'pod' }
  | { readonly kind: 'local' }
  | { readonly kind: 'ssh'; readonly host: string | undefined }
  | { readonly kind: 'debug'; readonly image: string };

/** Objects that were read already. */
export interface KnownObjects {
  readonly objects: readonly SourceObject[];
  /** All Pods of the cluster are among them. */
  readonly hasAllPods: boolean;
}

/** Opens the way to each node; undefined: there is none, which was reported. */
export function nodeOpener(
  via: Via,
  options: LiveOptions,
  api: () => Promise<ClusterApi>,
  read: () => KnownObjects = () => ({ objects: [], hasAllPods: false }),
): (node: string, report: Report) => Promise<NodeAccess | undefined> {
  if (via.kind === 'local') return async () => localAccess;
  if (via.kind === 'ssh') return async (node) => sshAccess(via.host?.replaceAll('{node}', node) ?? node);
  if (via.kind === 'debug') return (node, report) => openDebugPod(node, via.image, options, report);
  // One list for all nodes.
  let found: ReturnType<typeof findProxyPods> | undefined;
  let agents: ReturnType<typeof findAgentPods> | undefined;
  return async (node, report) => {
    const known = read();
    if (via.kind !== 'pod') {
      const cluster = await api();
      agents ??= known.hasAllPods ? Promise.resolve(agentPodsIn(known.objects)) : findAgentPods(cluster);
      const answer = await agents;
      const agent = 'kind' in answer ? undefined : answer.find((one) => one.node === node && one.isRunning);
      if (agent !== undefined) return agentAccess(agent, options);
      if (via.kind === 'agent') {
        const isReported = 'kind' in answer && !reportProblem(cluster, answer, true, report);
        if (!isReported) report(noAgent(cluster, node));
        return undefined;
      }
    }
    const seen = proxyPodsIn(known.objects).get(node);
    if (seen !== undefined) return podAccess(seen, options);
    const cluster = await api();
    found ??= findProxyPods(cluster);
    const pods = await found;
    if ('kind' in pods) {
      if (pods.kind === 'forbidden') report(podsHidden(node, pods.message));
      else if (reportProblem(cluster, pods, true, report)) report(noPod(cluster, node));
      return undefined;
    }
    const pod = pods.get(node);
    if (pod === undefined) report(noPod(cluster, node));
    return pod && podAccess(pod, options);
  };
}

const localAccess: NodeAccess = {
  name: 'this machine',
  shell: ['sh', '-s'],
  hint: 'run it as root on the node, with sudo; --via ssh reaches another machine',
};

/** The name comes from a command line or an API server: it must not look like an option. */
function sshAccess(host: string): NodeAccess {
  const asRoot = 'if [ "$(id -u)" -eq 0 ]; then exec sh -s; else exec sudo -n sh -s; fi';
  return {
    name: `ssh ${host}`,
    shell: ['ssh', '-o', 'BatchMode=yes', '-T', '--', host, asRoot],
    hint: 'here ssh and sudo may ask nothing: log in once by hand to see what they want',
  };
}

function podAccess(pod: ProxyPod, options: LiveOptions): NodeAccess {
  return {
    name: `Pod ${pod.namespace}/${pod.pod}`,
    shell: podProgram(pod, options, ['sh', '-s'], ['-i']),
    program: (program) => podProgram(pod, options, program),
    hint: otherWays,
  };
}

/** The agent reads its node itself: its image may lack a shell. */
function agentAccess(pod: AgentPod, options: LiveOptions): NodeAccess {
  const words = ['k8snet', 'agent', `--node=${pod.node}`];
  return { ...podAccess(pod, options), reader: (what) => podProgram(pod, options, [...words, `--print=${what}`]) };
}

const otherWays =
  'other ways to a node: --via ssh, --via debug (a Pod made for it), --via local (this machine is the node)';

function podsHidden(node: string, message: string): Diagnostic {
  return {
    code: 'not-allowed',
    severity: 'error',
    message: `node ${node} cannot be read: the account may not list the Pods of kube-system, among which is kube-proxy's (${message})`,
    at: [],
    hint: 'a role in kube-system with this rule grants it: {apiGroups: [""], resources: [pods], verbs: [list]}',
  };
}

function noAgent({ name }: ClusterApi, node: string): Diagnostic {
  return {
    code: 'node-unread',
    severity: 'error',
    message: `node ${node} cannot be read: ${name} has no running Pod of k8snet's agent on it`,
    at: [],
    hint: '--via pod reads it through kube-proxy’s Pod, --via ssh as root of the node',
  };
}

function noPod({ name }: ClusterApi, node: string): Diagnostic {
  return {
    code: 'node-unread',
    severity: 'error',
    message: `node ${node} cannot be read: ${name} has no running Pod of kube-proxy on it`,
    at: [],
    hint: otherWays,
  };
}
