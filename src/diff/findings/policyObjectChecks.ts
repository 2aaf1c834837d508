import { addTo } from '../../common/addTo.ts';
import { readLabelSelector, selectsLabels } from '../../model/labelSelector.ts';
import type { PolicyManifests } from '../../pipeline/compile.ts';
import type { NetworkPolicyObject, PodObject } from '../../validate/manifests.ts';
import type { Finding } from '../finding.ts';
import { makeFinding } from './makeFinding.ts';

/** K8N905: policies that select no Pod, or allow a named port no Pod has. Without Pods given nothing can be said. */
export function policyObjectChecks({ networkPolicies, pods }: PolicyManifests): readonly Finding[] {
  if (pods.length === 0) return [];
  const byNamespace = new Map<string, PodObject[]>();
  for (const { value } of pods) {
    const namespace = value.metadata.namespace ?? 'default';
    addTo(byNamespace, namespace, value);
  }
  const everyPort = new Set(pods.flatMap(({ value }) => portsOf(value)));
  // Policies often share a selector: the Pods of each are looked up once.
  const known = new Map<string, { readonly isEmpty: boolean; readonly ports: ReadonlySet<string> }>();
  const selectedBy = ({ metadata, spec }: NetworkPolicyObject) => {
    const namespace = metadata.namespace ?? 'default';
    const selector = readLabelSelector(spec?.podSelector);
    const key = `${namespace} ${selector.text}`;
    const before = known.get(key);
    if (before) return before;
    const selected = (byNamespace.get(namespace) ?? []).filter((pod) =>
      selectsLabels(selector, pod.metadata.labels ?? {}),
    );
    const found = { isEmpty: selected.length === 0, ports: new Set(selected.flatMap(portsOf)) };
    known.set(key, found);
    return found;
  };
  return networkPolicies.flatMap(({ value, origin }) => {
    const id = `${value.metadata.namespace ?? 'default'}/${value.metadata.name}`;
    const add = (seen: string) => makeFinding('K8N905', { seen, expected: [origin] });
    const { isEmpty, ports } = selectedBy(value);
    if (isEmpty) return [add(`NetworkPolicy ${id} selects no Pod`)];
    const unknown = [
      ...namedPorts(value.spec?.ingress).filter((name) => !ports.has(name)),
      ...namedPorts(value.spec?.egress).filter((name) => !everyPort.has(name)),
    ];
    return [...new Set(unknown)].map((name) => add(`NetworkPolicy ${id} allows port ${name}, which no Pod has`));
  });
}

type Rules = NonNullable<NetworkPolicyObject['spec']>['ingress'] | NonNullable<NetworkPolicyObject['spec']>['egress'];

function namedPorts(rules: Rules): readonly string[] {
  return (rules ?? []).flatMap((rule) =>
    (rule?.ports ?? []).flatMap(({ port, protocol }) =>
      typeof port === 'string' ? [`${port}/${protocol ?? 'TCP'}`] : [],
    ),
  );
}

function portsOf({ spec }: PodObject): readonly string[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ name, protocol }) => (name ? [`${name}/${protocol ?? 'TCP'}`] : [])),
  );
}
