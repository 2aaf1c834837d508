import type { NodeRules } from '../../node/nodeRules.ts';
import type { readLongNodeDump, SearchableDump } from './readLongNodeDump.ts';

/** Undefined: it holds no rules. */
export type BegunDump = Pick<SearchableDump, 'search'> & { readonly dump: NodeRules | undefined };

/**
 * The dump that was begun in the background. Where nothing was begun, or it must be read in the usual way, `usual` reads it:
 * bytes that are known are not read again.
 */
export async function begunDump(
  long: ReturnType<typeof readLongNodeDump>,
  usual: (bytes: Buffer | undefined) => Promise<NodeRules | undefined>,
): Promise<BegunDump> {
  const read = await long;
  return read === undefined || Buffer.isBuffer(read) ? { dump: await usual(read) } : read;
}
