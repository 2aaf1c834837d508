import type { DialectTable } from '../dialectTable.ts';
import type { NftablesDialect } from './nftablesDialect.ts';

/** Every version that changed what nftables mode writes. */
export const nftablesTable: DialectTable<NftablesDialect> = {
  base: {
    interfaceMatch: 'iif',
  },
  rows: [{ version: '1.30', evidence: 'recorded', origin: 'the oldest version that is known', changes: {} }],
  bareMinor: 'newestPatch',
};
