import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[], report: Report): Promise<Loaded> {
  const { loadTexts: read } = await import('../load/loadTexts.ts');
  return unpackLoaded(await read(files, report), report);
}
