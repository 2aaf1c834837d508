import type { Cidr } from '../common/addresses/cidr.ts';
import { podMasqueradeTable } from '../emit/podMasquerade.ts';
import { joinScripts } from '../script/joinScripts.ts';
import { podMasqueradeScript } from '../script/podMasqueradeScript.ts';
import type { Artefact } from './artefact.ts';

/** The files of a mode with masquerading of Pods: in the script, and in nftables mode as a table of its own. */
export function withPodMasquerade(
  files: readonly Artefact[],
  pods: readonly Cidr[],
  usesNft: boolean,
): readonly Artefact[] {
  return files.map((file) => {
    if (file.form === 'script') {
      return { ...file, text: () => joinScripts([file.text(), podMasqueradeScript(pods, usesNft)]) };
    }
    const own = pods.find(({ family }) => family === file.family);
    if (!usesNft || own === undefined || file.form !== 'save') return file;
    return {
      ...file,
      *text() {
        yield* file.text();
        yield podMasqueradeTable(own);
      },
    };
  });
}
