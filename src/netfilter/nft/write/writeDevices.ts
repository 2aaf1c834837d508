import type { BaseChain } from '../ast.ts';
import { quoted } from './quoted.ts';

/** What stands behind the hook of a chain that hears single interfaces. */
export function writeDevices({ device, devices }: BaseChain): string {
  if (devices !== undefined) return ` devices = { ${devices.map(quoted).join(', ')} }`;
  return device === undefined ? '' : ` device ${quoted(device)}`;
}
