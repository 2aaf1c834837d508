import { ipvsArtefacts } from '../ipvsArtefacts.ts';
import type { OutputBackend } from './outputBackend.ts';

export const ipvsOutput: OutputBackend<'ipvs'> = {
  files: (compiled, { spelling }, options, report) => ipvsArtefacts(compiled, spelling, options, report),
  cleanup: async () => (await import('../../script/ipvs/ipvsCleanup.ts')).ipvsCleanupScript(),
};
