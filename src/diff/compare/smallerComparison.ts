import type { KubeVersion } from '../../dialect/version.ts';
import { onlyServices } from '../../import/onlyServices.ts';
import type { Model } from '../../model/model.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { compileAs } from '../../pipeline/compileAs.ts';

/** A comparison of only some Services, which can be tried with every version of kube-proxy. */
export interface SmallerComparison {
  readonly dump: NodeRules;
  readonly compiledAs: (version: KubeVersion) => Compiled;
}

/** The parts of manifests and a dump that concern these Services or none, in modes whose rules name their Services. */
export function smallerComparison(
  compiled: Compiled,
  dump: NodeRules,
  services: ReadonlySet<string>,
): SmallerComparison {
  // Most ports are of others, and need no text to tell.
  const names = new Set(Array.from(services, (service) => service.slice(service.indexOf('/') + 1)));
  const isAsked = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
    names.has(name) && services.has(`${namespace}/${name}`);
  const ofAsked = (model: Model): Model => ({ ...model, servicePorts: model.servicePorts.filter(isAsked) });
  const { readAs } = compiled;
  const some: Compiled = {
    ...compiled,
    policyManifests: { networkPolicies: [], namespaces: [], pods: [], nodes: [] },
    model: ofAsked(compiled.model),
    readAs:
      readAs &&
      ((dialect) => {
        const { model, withoutRules } = readAs(dialect);
        return { model: ofAsked(model), withoutRules };
      }),
    plans: compiled.plans.map((plan) => ({ ...plan, services: plan.services.filter(({ port }) => isAsked(port)) })),
  };
  // Rules of a small cluster have comments that a large one lacks.
  const nodes = new Map(compiled.plans.map(({ family, node }) => [family, node]));
  return {
    dump: { ...onlyServices(dump, services), connections: [], notes: [] },
    compiledAs: (version) => {
      const other = compileAs(some, version);
      const plans = other.plans.map((plan) => {
        const isLargeCluster = nodes.get(plan.family)?.isLargeCluster === true;
        return { ...plan, node: { ...plan.node, isLargeCluster } };
      });
      return { ...other, plans };
    },
  };
}
