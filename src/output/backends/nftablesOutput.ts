import { nftablesArtefacts } from '../nftablesArtefacts.ts';
import type { OutputBackend } from './outputBackend.ts';

export const nftablesOutput: OutputBackend<'nftables'> = {
  files: (compiled, { spelling }, _options, report) => nftablesArtefacts(compiled, spelling, report),
  cleanup: async () => (await import('../../script/nftablesScript.ts')).nftablesCleanupScript(),
};
