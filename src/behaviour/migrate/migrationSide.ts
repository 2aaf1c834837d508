import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts, NetworkInterface } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { objectsOfManifests } from '../../trace/known/objectsOfManifests.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { type BehaviourSide, behaviourSide } from '../behaviourSide.ts';

/** What objects compile to: the rules on their node, and what the objects show. */
export interface MigrationNode {
  readonly compiled: Compiled;
  readonly node: NodeRules;
  readonly objects: TraceObjects;
}

/** One side: its rules, ready to be walked. */
export interface MigrationSide extends MigrationNode {
  readonly side: BehaviourSide;
}

export function migrationSide(compiled: Compiled, shown: NetworkFacts | undefined): MigrationSide {
  return sideOfNode(migrationNode(compiled, shown));
}

/** The compiled rules on their node, with the network that a dump shows, if there is one. */
export function migrationNode(compiled: Compiled, shown: NetworkFacts | undefined): MigrationNode {
  const { rules, objects } = objectsOfManifests(compiled, false);
  const network = shown && networkOf(shown, objects.network);
  return { compiled, node: network === undefined ? rules : { ...rules, network }, objects };
}

export function sideOfNode({ compiled, node, objects }: MigrationNode): MigrationSide {
  return { compiled, node, objects, side: behaviourSide(compiled.model.config.mode, node, objects) };
}

/** The network that the dump shows, with the changes that kube-proxy makes in the mode: its interface, its settings. */
function networkOf(shown: NetworkFacts, own: NetworkFacts): NetworkFacts {
  if (shown.interfaces.length === 0) return { ...shown, sysctls: new Map() };
  const isOfProxy = ({ name }: NetworkInterface) => name === ipvsDevice;
  return {
    ...shown,
    interfaces: [...shown.interfaces.filter((one) => !isOfProxy(one)), ...own.interfaces.filter(isOfProxy)],
    // Those of the kernel's own table follow from the addresses.
    routes: shown.routes.filter(({ table }) => table !== 'local'),
    sysctls: new Map([...shown.sysctls, ...own.sysctls]),
  };
}
