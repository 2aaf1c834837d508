import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Live } from '../../live/openLive.ts';
import { withoutPrivate } from '../../live/withoutPrivate.ts';
import type { FileToPack } from '../../load/files/packFiles.ts';
import { snapshotObject } from '../../load/snapshot.ts';
import type { SourceObject } from '../../load/sourceObject.ts';
import { allNodes, nodeOfWord } from '../dumps/nodeWords.ts';
import { withEachNode } from '../dumps/readNodes.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';
import { progressLine } from '../write/progressLine.ts';
import { writeReason } from '../write/writeReason.ts';
import { snapshotNeeds } from './liveNeeds.ts';

/**
 * Packs the objects of a cluster and everything that its nodes show into one archive, which commands accept instead of
 * manifests (`-f FILE`) and of a dump (`FILE:NODE`). A node that cannot be read is named, and is not in it.
 */
export async function collectLive(
  words: readonly string[],
  live: Live,
  {
    file,
    isQuiet,
    isRedacted,
    ...flags
  }: LiveFlags & {
    readonly file: string;
    readonly isQuiet: boolean;
    readonly isRedacted: boolean;
  },
  messages: Messages,
): Promise<number> {
  const objects = await live.objects(snapshotNeeds, messages.report);
  if (objects === undefined) return endUnread(messages);
  const nodes = await withEachNode(words.length === 0 ? [allNodes] : words, flags, messages);
  const files: FileToPack[] = [...objectFiles(objects)];
  const line = progressLine('node', isQuiet);
  let missing = 0;
  if (nodes.length > 0) await live.untilObjectsWritten();
  for (const [at, word] of nodes.entries()) {
    line.report(at, nodes.length);
    const node = nodeOfWord(word) ?? word;
    const texts = await live.everything(node, messages.report);
    if (texts === undefined) missing += 1;
    for (const { command, text } of texts ?? []) files.push({ name: `${node}/${command.file}`, text });
  }
  line.end();
  const changing = nodes.length > 0 ? [...(await live.changedSince())].sort() : [];
  const { packFiles } = await import('../../load/files/packFiles.ts');
  const { files: packed, nameOfService } = isRedacted
    ? await redacted(files, messages)
    : { files, nameOfService: same };
  const note = snapshotObject({
    hidden: [...live.hidden()],
    isWhole: live.namespace === undefined,
    unreadNodes: missing,
    changing: changing.map(nameOfService),
  });
  const snapshot = { name: 'cluster/snapshot.json', text: `${JSON.stringify(note)}\n` };
  const archive = await packFiles([snapshot, ...packed], new Date());
  try {
    writeFileSync(file, archive, { mode: 0o600 });
  } catch (error) {
    const message = `cannot write ${file}: ${writeReason(error)}`;
    messages.report({ code: 'cannot-write', severity: 'error', message, at: [] });
    return exitCodes.cannotWrite;
  }
  return missing === 0 ? exitCodes.ok : exitCodes.unread;
}

function same(name: string): string {
  return name;
}

async function redacted(files: readonly FileToPack[], messages: Messages) {
  const { redactFiles } = await import('../../redact/redactFiles.ts');
  const { files: own, leftOut, nameOfService } = redactFiles(files, randomBytes(32).toString('hex'));
  if (leftOut.length > 0) {
    const message = `--redact leaves out ${firstFew([...new Set(leftOut.map((name) => name.replace(/^[^/]+\//, '')))], 5)}: not all that stands there is understood`;
    messages.report({ code: 'not-redacted', severity: 'note', message, at: [] });
  }
  return { files: own, nameOfService };
}

/** A List of each kind, as kubectl prints one. */
function objectFiles(objects: readonly SourceObject[]): readonly FileToPack[] {
  const kinds = new Map<string, object[]>();
  for (const { apiVersion, kind, value } of objects) {
    const items = kinds.get(kind) ?? [];
    kinds.set(kind, items);
    items.push({ apiVersion, kind, ...withoutPrivate(kind, value) });
  }
  return [...kinds].map(([kind, items]) => ({
    name: `cluster/${kind.toLowerCase()}.json`,
    text: `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 1)}\n`,
  }));
}
