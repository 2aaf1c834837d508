import type { FlowConnection } from '../flow.ts';

export function isTranslated(connection: FlowConnection, half: 'source' | 'destination'): boolean {
  const binding = half === 'source' ? connection.sourceBinding : connection.destinationBinding;
  if (binding === undefined) return false;
  const { address, port, isAddressUnknown, isPortDrawn } = binding;
  return address !== undefined || port !== undefined || isAddressUnknown === true || isPortDrawn === true;
}
