import type { Loaded } from '../load/loaded.ts';
import type { TextFile } from '../load/loadTexts.ts';
import { noSources } from '../load/noSources.ts';
import type { TextMemory } from '../load/textMemory.ts';
import { unpackLoaded } from '../load/unpackLoaded.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { record } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** How texts are read. */
export interface LoadTextsOptions {
  /**
   * The `texts` of shared work: what says the same at the same place as in the last reading is taken from it, so that runs
   * recognize objects that nobody edited.
   */
  readonly memory?: TextMemory;
}

const loadRules: OptionRules<LoadTextsOptions> = { memory: record };

/** Reads manifests whose texts are at hand: YAML with any number of documents, JSON, Lists. */
export async function loadTexts(files: readonly TextFile[], options: LoadTextsOptions = {}): Promise<Result<Loaded>> {
  const { loadTexts: read } = await import('../load/loadTexts.ts');
  return resultOf(async (report) => {
    const { memory } = areOptions(options, loadRules, report) ? options : {};
    const loaded = await unpackLoaded(await read(files, report, memory), report);
    return memory === undefined ? loaded : { ...loaded, objects: memory.recognized(loaded.objects) };
  });
}

/** Objects that are at hand, with the settings that ConfigMaps carry in their place. */
export async function unpackObjects(objects: Loaded['objects']): Promise<Result<Loaded['objects']>> {
  return resultOf(async (report) => (await unpackLoaded({ objects, sources: noSources }, report)).objects);
}
