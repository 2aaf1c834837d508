import type { DialectTable } from '../dialectTable.ts';
import type { UserspaceDialect } from './userspaceDialect.ts';

/** Every version that changed what userspace mode writes. kube-proxy 1.26 does not have it any more. */
export const userspaceTable: DialectTable<UserspaceDialect> = {
  base: {
    repeatsNodePortComment: true,
  },
  removedIn: '1.26',
  planAxes: ['servicePortColon'],
  bareMinor: 'firstPatch',
  rows: [
    { version: '1.2', evidence: 'described', origin: 'the oldest version that is known', changes: {} },
    {
      version: '1.11',
      evidence: 'described',
      origin: 'the rule for node ports names its Service port once; the change came after 1.10 and before 1.14',
      changes: { repeatsNodePortComment: false },
    },
    { version: '1.25', evidence: 'described', origin: 'the last version that has the mode', changes: {} },
  ],
};
