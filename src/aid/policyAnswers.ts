import { type PolicyModel, type PolicyPod, readPolicyModel } from '../model/policyModel.ts';
import { unlistedPods, withUnlistedPods } from '../model/unlistedPods.ts';
import { clusterServices } from '../pipeline/clusterServices.ts';
import { type FlowCheck, policyTester, type TestOutcome, type TestRequest } from '../policy/testPolicy.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { AskedService } from './askedService.ts';

/** What NetworkPolicies say about connections to the Service. */
export interface PolicyAnswers {
  /** An address, a Pod (`namespace/name`), or `outside`. */
  readonly outcomeOf: (from: string) => PolicyOutcome;
  /** Those that policies can tell apart, with `outside` where the world may come in. */
  readonly senders: () => readonly string[];
  /** Kinds of policies that are not read. */
  readonly otherKinds: readonly string[];
}

/** Undefined: no policy is about anything, or nobody knows what is behind the Service. */
export function policyAnswers(asked: AskedService): PolicyAnswers | undefined {
  const { cluster, service } = asked;
  const { networkPolicies, otherPolicies } = cluster.manifests;
  const isAnswerable =
    service.kind === 'headless'
      ? asked.ports.length > 0 && (asked.pods ?? []).length > 0
      : service.kind === 'clusterIP' && asked.servicePorts.length > 0;
  if (!isAnswerable) return undefined;
  if (networkPolicies.length + otherPolicies.length === 0) return undefined;
  const model = readPolicyModel(cluster.manifests);
  const judged = withUnlistedPods(model, unlistedPods(cluster.manifests));
  const test = policyTester(judged, clusterServices(cluster.manifests));
  const known = new Map<string, PolicyOutcome>();
  return {
    outcomeOf: (from) => {
      const outcome = known.get(from) ?? outcomeOf(test, asked, from === 'outside' ? outside : from);
      known.set(from, outcome);
      return outcome;
    },
    senders: () => kindsOfSenders(model, asked),
    otherKinds: [...new Set(model.otherPolicies.map(({ kind }) => kind))],
  };
}

/** One connection for each way there is, or that nothing can be asked. */
export type PolicyOutcome = readonly FlowCheck[] | 'unanswerable';

function outcomeOf(test: (request: TestRequest) => TestOutcome, asked: AskedService, from: string): PolicyOutcome {
  const checks: FlowCheck[] = [];
  for (const request of from === outside ? fromOutside(asked) : fromInside(asked, from)) {
    const outcome = test(request);
    if (outcome.kind === 'unanswerable') return 'unanswerable';
    // kube-proxy refuses or drops the others, whatever policies say.
    for (const check of outcome.checks) if (check.end === undefined) checks.push(check);
  }
  return checks.length === 0 ? 'unanswerable' : checks;
}

const outside = 'external';
const mostNodes = 4;

function fromInside(asked: AskedService, from: string): readonly TestRequest[] {
  const { ports, service } = asked;
  if (service.kind === 'headless') return toPods(asked, from);
  return ports.map(({ port, protocol }) => ({
    from,
    to: `svc/${service.id}`,
    port: { kind: 'number', port, protocol },
    family: undefined,
  }));
}

/** Clients of a headless Service connect to its Pods, at their own ports. */
function toPods({ ports, pods = [] }: AskedService, from: string): readonly TestRequest[] {
  return pods.flatMap(({ value: { metadata } }) =>
    ports.map(
      ({ targetPort, protocol }): TestRequest => ({
        from,
        to: nameOf(metadata),
        port:
          typeof targetPort === 'number'
            ? { kind: 'number', port: targetPort, protocol }
            : { kind: 'name', name: targetPort, protocol },
        family: undefined,
      }),
    ),
  );
}

/** By addresses that are open to the world, and by node ports of some nodes. */
function fromOutside(asked: AskedService): readonly TestRequest[] {
  const { ports, servicePorts, cluster, pods = [] } = asked;
  const isAddressed = servicePorts.some(
    ({ externalIPs, loadBalancerIngress }) => externalIPs.length + loadBalancerIngress.length > 0,
  );
  const names = cluster.manifests.nodes.map(({ value }) => value.metadata.name);
  // With the policy Local, only nodes with its Pods pass anything on.
  const own = new Set(pods.flatMap(({ value }) => value.spec?.nodeName ?? []));
  const nodes = [...names.filter((name) => own.has(name)), ...names.filter((name) => !own.has(name))].slice(
    0,
    mostNodes,
  );
  const open = ports.filter(({ nodePort }) => nodePort > 0);
  return [
    ...(isAddressed ? fromInside(asked, outside) : []),
    ...open.flatMap(({ nodePort, protocol }) =>
      nodes.map(
        (node): TestRequest => ({
          from: outside,
          to: `node/${node}`,
          port: { kind: 'number', port: nodePort, protocol },
          family: undefined,
        }),
      ),
    ),
  ];
}

/** Surely, by policies, and on every way. */
export function isDenied(outcome: PolicyOutcome): outcome is readonly FlowCheck[] {
  return outcome !== 'unanswerable' && outcome.every(({ isAllowed, isUnknown }) => !isAllowed && !isUnknown);
}

/** Pods that policies cannot tell apart are asked about once. */
function kindsOfSenders(model: PolicyModel, { pods = [], servicePorts }: AskedService): readonly string[] {
  const own = new Set(pods.map(({ value }) => nameOf(value.metadata)));
  const kinds = new Map<string, PolicyPod>();
  for (const pod of model.pods) {
    if (own.has(pod.id) || pod.isHostNetwork || pod.ips.length === 0) continue;
    const key = JSON.stringify([pod.namespace, Object.entries(pod.labels).sort()]);
    if (!kinds.has(key)) kinds.set(key, pod);
  }
  const isOpen = servicePorts.some(
    ({ nodePort, externalIPs, loadBalancerIngress }) =>
      nodePort > 0 || externalIPs.length + loadBalancerIngress.length > 0,
  );
  return [...[...kinds.values()].map(({ id }) => id), ...(isOpen ? ['outside'] : [])];
}
