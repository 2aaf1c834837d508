import type { ConnectionStatus } from '../../meaning.ts';
import { statusBits } from './connectionBits.ts';

/** A name of IPS_ of the kernel that a walk knows the meaning of. */
export function isConnectionStatus(name: string): name is ConnectionStatus {
  return statusBits.has(name);
}
