import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts, NetworkInterface } from '../../node/networkFacts.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { objectsOfManifests } from '../../trace/known/objectsOfManifests.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { type BehaviourSide, behaviourSide } from '../behaviourSide.ts';

/** One side: what the objects compile to, and its rules. */
export interface MigrationSide {
  readonly compiled: Compiled;
  readonly side: BehaviourSide;
  readonly objects: TraceObjects;
}

/** The compiled rules on their node, with the network that a dump shows, if there is one. */
export function migrationSide(compiled: Compiled, shown: NetworkFacts | undefined): MigrationSide {
  const { rules, objects } = objectsOfManifests(compiled, false);
  const network = shown && networkOf(shown, objects.network);
  const own = network === undefined ? rules : { ...rules, network };
  return { compiled, side: behaviourSide(compiled.model.config.mode, own, objects), objects };
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
