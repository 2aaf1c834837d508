import type { Loaded } from '../load/loaded.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { noSources } from '../load/noSources.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';
import { type Result, resultOf } from './result.ts';

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[]): Promise<Result<Loaded>> {
  const { loadTexts: read } = await import('../load/loadTexts.ts');
  return resultOf(async (report) => unpackLoaded(await read(files, report), report));
}

/** Objects that are at hand, with the settings that ConfigMaps carry in their place. */
export async function unpackObjects(objects: Loaded['objects']): Promise<Result<Loaded['objects']>> {
  return resultOf(async (report) => (await unpackLoaded({ objects, sources: noSources }, report)).objects);
}
