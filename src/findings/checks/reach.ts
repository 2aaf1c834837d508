/**
 * What a rule can match: traffic of a Service that the dump knows, only other ports of a Service's address, or neither.
 */
export type Reach = 'service' | 'address' | 'none';

/** What a packet is addressed to. */
export interface Destination {
  /** Undefined: a node port, on addresses that the dump does not show. */
  readonly ip: string | undefined;
  readonly protocol: string;
  readonly port: number;
}

/** Told from what the rule's words allow of each destination. */
export function reach(
  destinations: readonly Destination[],
  mayAddress: (destination: Destination) => boolean,
  mayPort: (destination: Destination) => boolean,
): Reach {
  let most: Reach = 'none';
  for (const destination of destinations) {
    if (!mayAddress(destination)) continue;
    if (mayPort(destination)) return 'service';
    if (destination.ip !== undefined) most = 'address';
  }
  return most;
}
