/**
 * What a rule can match: traffic of a Service that the dump knows, only other ports of a Service's address, or neither.
 */
export type Reach = 'service' | 'address' | 'none';

/** Where traffic for a Service comes in. */
export interface Entrance {
  /** Undefined: a node port, on addresses that the dump does not show. */
  readonly ip: string | undefined;
  readonly protocol: string;
  readonly port: number;
}

/** Told from what the rule's words allow of each entrance. */
export function reach(
  entrances: readonly Entrance[],
  mayAddress: (entrance: Entrance) => boolean,
  mayPort: (entrance: Entrance) => boolean,
): Reach {
  let most: Reach = 'none';
  for (const entrance of entrances) {
    if (!mayAddress(entrance)) continue;
    if (mayPort(entrance)) return 'service';
    if (entrance.ip !== undefined) most = 'address';
  }
  return most;
}
