import { statSync } from 'node:fs';
import type { Manifests } from '../../../validate/kinds/manifests.ts';
import { dumpPaths } from '../../dumps/paths/dumpPaths.ts';
import type { FleetPath } from '../entries/fleetEntry.ts';
import type { FleetCommand } from '../fleetCommand.ts';

/**
 * How much there is to do for all nodes, in bytes of dumps that are compared with objects: what takes as long as those.
 * Estimated before anything is read.
 */
export interface FleetWork {
  /** How many nodes there are, as far as that is known. */
  readonly nodes: number | undefined;
  readonly bytes: number;
}

/** `enough`: it does not matter how much more there is. */
export function judgingWork(name: FleetCommand['name'], paths: readonly FleetPath[], enough: number): FleetWork {
  const isCounted = !paths.some(({ kind }) => kind === 'archive');
  let bytes = 0;
  for (const path of paths) {
    bytes += bytesOfNode + bytesAt(path) * weights[name];
    if (bytes >= enough) break;
  }
  return { nodes: isCounted ? paths.length : undefined, bytes };
}

/** Writing the rules of a node takes as long as comparing them with a dump. */
export function compilingWork({ services, endpoints, endpointSlices }: Manifests, nodes: number): FleetWork {
  let bytes = services.length * bytesOfService;
  for (const { value } of endpointSlices) bytes += (value.endpoints?.length ?? 0) * bytesOfEndpoint;
  for (const { value } of endpoints) {
    for (const { addresses } of value.subsets ?? []) bytes += (addresses?.length ?? 0) * bytesOfEndpoint;
  }
  return { nodes, bytes: nodes * (bytesOfNode + bytes) };
}

/** What has to be done once for each node takes as long as this many bytes of its dump. */
const bytesOfNode = 1 << 18;
/** As iptables mode writes them. */
const bytesOfService = 1200;
const bytesOfEndpoint = 300;

/** How much longer each byte takes where packets are sent through the rules. */
const weights: Readonly<Record<FleetCommand['name'], number>> = { diff: 1, doctor: 1, reach: 8, migrate: 12 };

function bytesAt({ kind, path }: FleetPath): number {
  if (kind === 'live') return 0;
  if (kind === 'archive') return sizeOf(path) * unpacked;
  return dumpPaths(path).reduce((sum, file) => sum + sizeOf(file), 0);
}

/** Rules are much alike. */
const unpacked = 10;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
