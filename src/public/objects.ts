import type { Loaded } from '../load/loaded.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { noSources } from '../load/noSources.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { list } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** How texts are read again. */
export interface LoadTextsOptions {
  /**
   * Objects of an earlier result: those that say the same at the same place come back as they are, so that `shareWork`
   * knows what was made of them.
   */
  readonly earlier?: Loaded['objects'];
}

const loadRules: OptionRules<LoadTextsOptions> = { earlier: list };

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[], options: LoadTextsOptions = {}): Promise<Result<Loaded>> {
  const { loadTexts: read } = await import('../load/loadTexts.ts');
  return resultOf(async (report) => {
    const { earlier } = areOptions(options, loadRules, report) ? options : {};
    const loaded = await unpackLoaded(await read(files, report), report);
    if (earlier === undefined) return loaded;
    const { takeEarlier } = await import('../load/takeEarlier.ts');
    return { ...loaded, objects: takeEarlier(loaded.objects, earlier) };
  });
}

/** Objects that are at hand, with the settings that ConfigMaps carry in their place. */
export async function unpackObjects(objects: Loaded['objects']): Promise<Result<Loaded['objects']>> {
  return resultOf(async (report) => (await unpackLoaded({ objects, sources: noSources }, report)).objects);
}
