import { cached, type WalkContext } from './context.ts';
import type { Packet } from './flow.ts';

/** The interface for packets without a better route. */
export function defaultDevice(addresses: Packet['source'], context: WalkContext): string | undefined {
  const isV6 = typeof addresses[0]?.first === 'bigint';
  const { routes } = context.input.topology;
  const defaults = cached(context, defaultDevice, () =>
    routes.filter(({ length, table }) => length === 0 && table === 'main'),
  );
  return defaults.find(({ destination }) => (typeof destination.first === 'bigint') === isV6)?.device;
}
