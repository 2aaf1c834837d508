import { userspaceArtefacts } from '../userspaceArtefacts.ts';
import type { OutputBackend } from './outputBackend.ts';

export const userspaceOutput: OutputBackend<'userspace'> = {
  files: (compiled, dialect, options, report) => userspaceArtefacts(compiled, dialect, options, report),
  cleanup: async () => (await import('../../script/iptables/userspaceCleanup.ts')).userspaceCleanupScript(),
};
