import { sameData } from '../../common/sameData.ts';
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

/** The compiled rules on their node, with the network that a dump shows, if there is one. `before`: in the other mode. */
export function migrationNode(compiled: Compiled, dump: NodeRules | undefined, before?: MigrationNode): MigrationNode {
  const made = objectsOfManifests(compiled, false, dump);
  const { rules } = made;
  const objects = before === undefined ? made.objects : withPodsOf(before.objects, made.objects);
  const network = dump && networkOf(dump.network, objects.network);
  return { compiled, node: network === undefined ? rules : { ...rules, network }, objects };
}

export function sideOfNode({ compiled, node, objects }: MigrationNode): MigrationSide {
  return { compiled, node, objects, side: behaviourSide(compiled.model.config.mode, node, objects) };
}

/** What follows from Pods is worked out once for both, if they are the same. */
function withPodsOf(before: TraceObjects, objects: TraceObjects): TraceObjects {
  const { pods } = before.network;
  if (!sameData(pods, objects.network.pods)) return objects;
  return { ...objects, network: { ...objects.network, pods } };
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
