import { learnChainHashes, learnPolicyHashes } from './chainHashes.ts';
import { newRedaction, type Redaction } from './redaction.ts';
import { learnNames, redactObject } from './redactObject.ts';
import { redactText } from './redactText.ts';
import { redactServicePort } from './redactWords.ts';

/** A file of a snapshot: `cluster/KIND.json`, `NODE/dumps/…`, `NODE/facts/…`. */
export interface SnapshotFile {
  readonly name: string;
  readonly text: string;
}

export interface RedactedFiles {
  readonly files: readonly SnapshotFile[];
  /** Files that are left out, because nobody here knows what all of their text means. */
  readonly leftOut: readonly string[];
  /** What `namespace/name` of a Service is called in them. */
  readonly nameOfService: (service: string) => string;
}

/**
 * A snapshot with other names and addresses, the same ones throughout: commands give the same results for it except for
 * these. Protocols, ports, counts, times and versions stay. `secret` decides about addresses; throw it away.
 */
export function redactFiles(files: readonly SnapshotFile[], secret: string): RedactedFiles {
  const redaction = newRedaction(secret);
  const lists = files.map(({ name, text }) => (isObjects(name) ? itemsOf(text) : undefined));
  for (const items of lists) learnNames(items ?? [], redaction);
  for (const name of new Set(files.flatMap(({ name }) => nodeOf(name) ?? []))) redaction.names.of(name, 'node');
  const shown = files.filter(({ name }) => !isObjects(name) && keeps(name));
  learnChainHashes(
    shown.map(({ text }) => text),
    redaction,
  );
  for (const items of lists) learnPolicyHashes(items ?? [], redaction);
  const redacted: SnapshotFile[] = [];
  const leftOut: string[] = [];
  for (const [at, file] of files.entries()) {
    const items = lists[at];
    if (items !== undefined) redacted.push({ name: file.name, text: listText(items, redaction) });
    else if (keeps(file.name)) redacted.push(redactFile(file, redaction));
    else leftOut.push(file.name);
  }
  const nameOfService = (service: string) => redactServicePort(service, redaction);
  return { files: redacted, leftOut, nameOfService };
}

function redactFile({ name, text }: SnapshotFile, redaction: Redaction): SnapshotFile {
  const node = nodeOf(name) ?? '';
  const renamed = `${redaction.names.of(node, 'node')}${name.slice(node.length)}`;
  if (name.endsWith('/metrics.txt')) {
    const own = text.split('\n').filter((line) => /^(?:# (?:HELP|TYPE) )?kubeproxy_/.test(line));
    return { name: renamed, text: own.map((line) => `${line}\n`).join('') };
  }
  // `Linux HOST 6.1.0 …` of uname.
  if (name.endsWith('/version.kernel.txt'))
    return { name: renamed, text: text.replace(/^(\S+) \S+/, `$1 ${redaction.names.of(node, 'node')}`) };
  return { name: renamed, text: redactText(text, redaction) };
}

/** What is read by commands, and small facts beside it. */
function keeps(name: string): boolean {
  return /\/dumps\/[^/]+$/.test(name) || keptFacts.test(name);
}

const keptFacts =
  /\/facts\/(?:policy-rules|sysctl|modules|conntrack\.v[46]|proxy-mode|healthz|metrics|version\.(?:iptables|nft|kernel))\.txt$|\/facts\/ipvsadm\.list$/;

function nodeOf(name: string): string | undefined {
  return isObjects(name) ? undefined : /^[^/]+(?=\/)/.exec(name)?.[0];
}

function isObjects(name: string): boolean {
  return /^cluster\/[^/]+\.json$/.test(name);
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(text: string): readonly Item[] {
  return (JSON.parse(text) as { readonly items: readonly Item[] }).items;
}

function listText(items: readonly Item[], redaction: Redaction): string {
  const redacted = items.map((item) => redactObject(item, redaction));
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: redacted }, undefined, 1)}\n`;
}
