import type { Value } from '../../common/ranges/valueRange.ts';
import { single } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../../walk/context.ts';
import { defaultDevice } from '../../walk/defaultDevice.ts';
import { podAt } from '../../walk/podAt.ts';
import { routeBack } from './routeBack.ts';

/** The interface by which packets from an address arrive: that of the route back, or the bridge of its Pod. */
export function interfaceTo(source: Value, context: WalkContext): string | undefined {
  const { interfaces } = context.input.topology;
  const pod = podAt(source, context);
  const own = pod?.interface === undefined ? undefined : interfaces.get(pod.interface);
  if (own !== undefined) return own.bridge ?? own.name;
  return routeBack(source, context)?.device ?? defaultDevice(single(source), context);
}
