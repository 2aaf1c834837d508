import type { PageInput } from '../../pageInput.ts';
import type { Client } from '../client.ts';
import type { PageState } from '../pageState.ts';

/** Adds files that somebody dropped or chose, each where it belongs; what cannot be read is said. */
export async function addTexts(
  files: readonly File[],
  input: PageInput,
  client: Client,
): Promise<{ readonly added: Partial<PageState>; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  const texts: { name: string; text: string }[] = [];
  for (const file of files) {
    try {
      texts.push({ name: file.name.replace(/\.gz$/, ''), text: await textOf(file) });
    } catch {
      notes.push(`${file.name}: cannot be read.`);
    }
  }
  const kinds = await client.ask(input, 'kinds', { texts: texts.map(({ text }) => text) });
  const manifests = texts.filter((_, at) => kinds[at] === 'objects');
  const dumps = texts.filter((_, at) => kinds[at] === 'dump');
  if (texts.length > 0) notes.push(`Added: ${texts.map(({ name }) => name).join(', ')}.`);
  const all: PageInput = {
    ...input,
    manifests: joined(input.manifests, manifests),
    dumps: joined(input.dumps, dumps),
  };
  const isDump = manifests.length === 0 && dumps.length > 0;
  const count = (isDump ? all.dumps : all.manifests).length;
  return {
    added: texts.length === 0 ? {} : { input: all, tab: isDump ? 'dump' : 'manifests', file: count - 1 },
    notes,
  };
}

/** A file of the same name is the new state of the old one. */
function joined<T extends { readonly name: string; readonly text: string }>(
  before: readonly T[],
  added: readonly { readonly name: string; readonly text: string }[],
): readonly T[] {
  const names = new Set(added.map(({ name }) => name));
  return [...before.filter(({ name, text }) => !names.has(name) && text.trim() !== ''), ...(added as readonly T[])];
}

async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked
    ? await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
    : bytes;
  const start = new Uint8Array(plain.slice(0, 2));
  // PowerShell writes UTF-16.
  const encoding = start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(plain);
}
