import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { noSources } from '../load/noSources.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[], report: Report): Promise<Loaded> {
  const { loadTexts: read } = await import('../load/loadTexts.ts');
  return unpackLoaded(await read(files, report), report);
}

/** Objects that are at hand, with the settings that ConfigMaps carry in their place. */
export async function unpackObjects(objects: Loaded['objects'], report: Report): Promise<Loaded['objects']> {
  return (await unpackLoaded({ objects, sources: noSources }, report)).objects;
}
