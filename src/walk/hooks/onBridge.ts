import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { routeTo } from '../routing.ts';
import { portOf, usesBridgeRules } from '../ways.ts';

/**
 * A packet on its way in: if it comes from a bridge port and its destination is on the same bridge, it goes over the
 * bridge.
 */
export function onBridge(flow: Flow, context: WalkContext): Flow {
  const { topology } = context.input;
  if (topology.interfaces.get(flow.inInterface ?? '')?.isBridge !== true) return flow;
  const route = routeTo({ destinations: flow.packet.destination, source: flow.packet.source, mark: 0 }, context);
  const isDirect = route?.type === 'unicast' && route.via === undefined && route.device === flow.inInterface;
  const inPort = flow.inPort ?? portOf(onlyValue(flow.packet.source), context);
  // Without the bridge's rules nothing shows the port that a packet came by; ports only matter for packets that stay on
  // the bridge.
  return usesBridgeRules(flow, context) || isDirect
    ? { ...flow, inPort, isBridged: isDirect }
    : { ...flow, inPort: undefined };
}
