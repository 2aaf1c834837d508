import { addressValue } from '../netfilter/addressRanges.ts';
import type { Value } from '../netfilter/meaning.ts';
import { linesOf } from '../node/chainLines.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { expectedRules } from '../pipeline/expectedRules.ts';
import { assumedOfObjects, networkOfObjects } from '../pipeline/networkOfObjects.ts';
import type { NamedService } from './namedThings.ts';
import type { TraceObjects } from './nodeTracer.ts';

/** What packets are walked by where manifests are given: the rules that they compile to, names, and the network. */
export function objectsOfManifests(
  compiled: Compiled,
  hasNfacct: boolean,
): { readonly rules: NodeRules; readonly objects: TraceObjects } {
  const { rules } = expectedRules(compiled, { hasNfacct });
  const dummy = rules.addresses.flatMap(({ tables }) => linesOf(tables.get('addresses')?.chains.get('kube-ipvs0')));
  const network = networkOfObjects(compiled, dummy);
  return {
    rules,
    objects: {
      services: servicesOf(compiled),
      network,
      assumed: new Map(Object.entries(assumedOfObjects)) as TraceObjects['assumed'],
    },
  };
}

function servicesOf({ model }: Compiled): readonly NamedService[] {
  const services = new Map<string, { addresses: Value[]; ports: { name: string; number: number }[] }>();
  for (const { namespace, name, clusterIP, portName, port } of model.servicePorts) {
    const id = `${namespace}/${name}`;
    const service = services.get(id) ?? { addresses: [], ports: [] };
    const address = addressValue(clusterIP);
    if (address !== undefined && !service.addresses.includes(address)) service.addresses.push(address);
    if (!service.ports.some((known) => known.number === port && known.name === portName))
      service.ports.push({ name: portName, number: port });
    services.set(id, service);
  }
  return [...services].map(([name, service]) => ({ name, ...service }));
}
