import type { Flow } from './flow.ts';

export function interfaceOf(flow: Flow, side: 'in' | 'out' | 'physin' | 'physout'): string | undefined {
  switch (side) {
    case 'in':
      return flow.inInterface;
    case 'out':
      return flow.outInterface;
    case 'physin':
      return flow.inPort;
    case 'physout':
      return flow.outPort;
  }
}
