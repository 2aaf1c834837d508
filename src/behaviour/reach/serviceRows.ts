import type { Value } from '../../common/ranges/valueRange.ts';
import { isLoopback } from '../../walk/ways.ts';
import type { ReachRow } from './reach.ts';

/** The addresses of Services with their ports; 127.0.0.1 represents 127.0.0.0/8, which belongs to the node. */
export function serviceRows(rows: readonly ReachRow[]): readonly ReachRow[] {
  return rows.filter(
    ({ name, destination: { address } }) => name.isServicePort && (!isLoopback(address) || isLocalhost(address)),
  );
}

function isLocalhost(address: Value): boolean {
  return address === 0x7f000001 || address === 1n;
}
