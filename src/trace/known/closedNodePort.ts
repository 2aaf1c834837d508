import { protocolName } from '../question/protocolName.ts';
import type { CatalogEntrance } from './ruleEntrances.ts';

/** A number that is not a node port in the rules of this node. */
export interface ClosedNodePort {
  readonly sentence: string;
  /** The node port that the Service has here instead. */
  readonly moved?: CatalogEntrance;
}

/** `service`: the owner of the node port according to objects, `shop/web:http`; undefined: there is none. */
export function closedNodePort(
  port: number,
  protocol: number,
  service: string | undefined,
  entrances: readonly CatalogEntrance[],
): ClosedNodePort {
  const asked = `${port}/${protocolName(protocol)}`;
  const moved =
    service === undefined
      ? undefined
      : entrances.find((one) => one.address === undefined && one.port !== undefined && one.service === service);
  if (moved !== undefined) {
    return { sentence: `${asked} is no node port on this node: ${moved.port} answers for ${service}.`, moved };
  }
  const owner = service === undefined ? '' : `, although the objects have it for ${service}`;
  return { sentence: `No Service has the node port ${asked} on this node${owner}.` };
}
