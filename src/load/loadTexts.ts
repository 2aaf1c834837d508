import type { Report } from '../diagnostics/diagnostic.ts';
import { joinShown } from './kubectl/shown/joinShown.ts';
import type { Loaded } from './loaded.ts';
import { readText, type SourceDocument } from './readText.ts';
import type { SourceObject } from './sourceObject.ts';
import type { SourceFormat } from './sources.ts';
import { splitObjects } from './splitObjects.ts';
import type { TextMemory } from './textMemory.ts';
import { withoutTalk } from './withoutTalk.ts';

/** A file whose text is at hand; diagnostics call it by its name. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Reads texts into Kubernetes objects, as `load` reads files; needs no file system. */
export async function loadTexts(files: readonly TextFile[], report: Report, memory?: TextMemory): Promise<Loaded> {
  const documents: SourceDocument[] = [];
  const formats = new Map<string, SourceFormat>();
  for (const { name, text } of files) formats.set(name, await readText(name, text, documents, report, { memory }));
  const objects: SourceObject[] = [];
  for (const document of documents) for (const object of splitObjects(document, report)) objects.push(object);
  const joined = joinShown(objects, report);
  const texts = new Map(files.map(({ name, text }) => [name, withoutTalk(text)]));
  return {
    objects: joined,
    sources: { textOf: (file) => texts.get(file), formatOf: (file) => formats.get(file) ?? 'none' },
  };
}
