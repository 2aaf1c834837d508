import type { DialectTable } from '../dialectTable.ts';
import type { IpvsDialect } from './ipvsDialect.ts';

/** Every version that changed what IPVS mode writes. */
export const ipvsTable: DialectTable<IpvsDialect> = {
  base: {
    hasOutputFilter: true,
  },
  rows: [{ version: '1.30', evidence: 'recorded', origin: 'the oldest version that is known', changes: {} }],
  bareMinor: 'firstPatch',
};
