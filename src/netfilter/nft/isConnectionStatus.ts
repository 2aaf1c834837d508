import type { ConnectionStatus } from '../meaning.ts';

/** A name of IPS_ of the kernel that a walk knows the meaning of. */
export function isConnectionStatus(name: string): name is ConnectionStatus {
  return statuses.has(name);
}

const statuses: ReadonlySet<string> = new Set<ConnectionStatus>([
  'snat',
  'dnat',
  'expected',
  'seen-reply',
  'assured',
  'confirmed',
  'dying',
]);
