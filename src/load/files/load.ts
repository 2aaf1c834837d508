import type { Report } from '../../diagnostics/diagnostic.ts';
import { joinShown } from '../kubectl/shown/joinShown.ts';
import type { Loaded } from '../loaded.ts';
import { withoutSnapshots } from '../snapshot.ts';
import type { SourceObject } from '../sourceObject.ts';
import { splitObjects } from '../splitObjects.ts';
import { type LoadOptions, readDocuments } from './readDocuments.ts';

/**
 * Reads files, directories and standard input (`-`) into Kubernetes objects, Lists split. Everything wrong is reported;
 * the objects that are sound come back all the same, each once where kubectl shows it in several
 * forms. Which kinds are of use is decided later.
 */
export async function load(paths: readonly string[], options: LoadOptions, report: Report): Promise<Loaded> {
  const { documents, sources } = await readDocuments(paths, options, report);
  const objects: SourceObject[] = [];
  // No spread: a call takes some hundred thousand arguments at most, and a List may have more items.
  for (const document of documents) for (const object of splitObjects(document, report)) objects.push(object);
  const joined = joinShown(objects, report);
  return { ...withoutSnapshots(joined), sources };
}
