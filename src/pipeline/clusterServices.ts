import { dialectOf } from '../dialect/dialectOf.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { ServicePlan } from '../plan/plan.ts';
import { planNode } from '../plan/planNode.ts';
import { planRoutes } from '../plan/planRoutes.ts';
import { planServicePort } from '../plan/planServicePort.ts';
import type { ClusterServices } from '../policy/translateFlow.ts';
import { resolveModel, resolveTarget } from '../resolve/resolveModel.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';

/**
 * The Services of a cluster as the newest kube-proxy treats them. Only Services in question are planned, node by node,
 * and diagnostics about them do not answer questions about policies.
 */
export function clusterServices(manifests: Manifests): ClusterServices {
  const { plan: dialect } = dialectOf('iptables', newestVersion());
  const resolve = (objects: Manifests, options: TargetOptions) =>
    resolveModel(objects, resolveTarget(objects, {}, options, ignore), dialect, ignore).model;
  const model = resolve(manifests, { allocates: true });
  const own = new Map<string, Manifests>();
  const plans = new Map<string, ServicePlan>();
  const planAt = (service: ServicePort, node: string | undefined): ServicePlan => {
    const { namespace, name, portName, protocol, family } = service;
    const key = JSON.stringify([namespace, name, portName, protocol, family, node]);
    const known = plans.get(key);
    if (known !== undefined) return known;
    const id = `${namespace}/${name}`;
    const objects = own.get(id) ?? objectsOf(manifests, service);
    own.set(id, objects);
    const local = resolve(objects, { allocates: true, node: node ?? nowhere });
    const port = local.servicePorts.find(
      (each) => each.portName === portName && each.protocol === protocol && each.family === family,
    );
    // Addresses are those of the whole cluster: in a cluster of its own, a Service without any would get different
    // ones.
    const planned = { ...service, endpoints: port?.endpoints ?? [] };
    const nodePlan = planNode(local, family, dialect);
    const plan = planServicePort(planned, local.node, nodePlan, planRoutes(nodePlan, dialect), dialect);
    plans.set(key, plan);
    return plan;
  };
  return { ports: model.servicePorts, nodes: namesOf(manifests), planAt };
}

/** A name that no node has. */
const nowhere = '.';

const ignore = (): void => undefined;

/** Nodes, including those that only Pods mention. */
function namesOf({ nodes, pods }: Manifests): readonly string[] {
  const told = pods.flatMap(({ value }) => value.spec?.nodeName || []);
  return [...new Set([...nodes.map(({ value }) => value.metadata.name), ...told])].sort();
}

/** The Service with its endpoints, and the Pods that it may select. */
function objectsOf(manifests: Manifests, { namespace, name }: ServicePort): Manifests {
  const isNear = ({
    value,
  }: {
    readonly value: { readonly metadata: { readonly namespace?: string | null | undefined } };
  }) => (value.metadata.namespace ?? 'default') === namespace;
  return {
    ...manifests,
    services: manifests.services.filter((each) => isNear(each) && each.value.metadata.name === name),
    endpoints: manifests.endpoints.filter((each) => isNear(each) && each.value.metadata.name === name),
    endpointSlices: manifests.endpointSlices.filter(isNear),
    pods: manifests.pods.filter(isNear),
    workloads: [],
  };
}
