import { type FactFlags, factFiles } from '../options/factOptions.ts';
import { archiveContents, nodeInArchive } from './readDumpFiles.ts';

interface Given extends FactFlags {
  readonly filename?: readonly string[];
  readonly node?: string;
  readonly live?: unknown;
}

/** What is looked at: files of objects, and words for dumps. */
export interface BothWays {
  readonly filename: readonly string[] | undefined;
  readonly paths: readonly string[];
}

/**
 * An archive of `collect --live` that is given for its objects alone, or for its nodes alone, is taken for both: nobody
 * has to write its name twice.
 */
export async function archiveBothWays(paths: readonly string[], given: Given): Promise<BothWays> {
  const { filename, node, live } = given;
  const isOpen = live === undefined && factFiles(given).length === 0;
  if (isOpen && filename === undefined) {
    const archives = [...new Set(paths.flatMap((word) => nodeInArchive(word)?.path ?? []))];
    const own = await those(archives, ({ hasObjects }) => hasObjects);
    return { filename: own.length === 0 ? undefined : own, paths };
  }
  if (isOpen && filename !== undefined && paths.length === 0) {
    const own = await those(filename, ({ hasObjects, nodes }) => hasObjects && (node ? nodes.includes(node) : true));
    return { filename, paths: node === undefined ? own : own.map((path) => `${path}:${node}`) };
  }
  return { filename, paths };
}

type Contents = NonNullable<Awaited<ReturnType<typeof archiveContents>>>;

async function those(paths: readonly string[], fits: (contents: Contents) => boolean): Promise<readonly string[]> {
  const each = paths.map(async (path) => {
    const contents = await archiveContents(path);
    return contents !== undefined && fits(contents) ? [path] : [];
  });
  return (await Promise.all(each)).flat();
}
