import { iptablesArtefacts } from '../iptablesArtefacts.ts';
import type { OutputBackend } from './outputBackend.ts';

export const iptablesOutput: OutputBackend<'iptables'> = {
  files: (compiled, { spelling }, options, report) => iptablesArtefacts(compiled, spelling, options, report),
  cleanup: async () => (await import('../../script/iptables/iptablesCleanup.ts')).iptablesCleanupScript(),
};
