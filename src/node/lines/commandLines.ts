import type { ListedBlock } from './listedLines.ts';

/**
 * What `listedLines` gives for a listing, but for commands for `nft -f`, one a line: where each chain, set or map is
 * made, and which line each of its rules and elements comes from.
 */
export function commandLines(text: string): ReadonlyMap<string, ListedBlock> {
  const blocks = new Map<string, CommandBlock>();
  for (const [at, line] of text.split('\n').entries()) {
    const [, verb, object, table, name] = command.exec(line) ?? [];
    if (verb === undefined || object === undefined) continue;
    if (object === 'rule') {
      const block = blocks.get(`${table} ${name}`);
      if (verb === 'insert') block?.items.unshift(at + 1);
      else block?.items.push(at + 1);
    } else if (object === 'element') {
      const block = blocks.get(`${table} set ${name}`) ?? blocks.get(`${table} map ${name}`);
      const key = element.exec(line)?.[1];
      if (key !== undefined && verb === 'delete') block?.byKey.delete(key);
      else if (key !== undefined && !block?.byKey.has(key)) block?.byKey.set(key, at + 1);
    } else {
      changeObject(blocks, verb, object === 'chain' ? `${table} ${name}` : `${table} ${object} ${name}`, at + 1, line);
    }
  }
  return blocks;
}

type CommandBlock = ListedBlock & { readonly byKey: Map<string, number> };

function changeObject(
  blocks: Map<string, CommandBlock>,
  verb: string,
  key: string,
  number: number,
  line: string,
): void {
  const known = blocks.get(key);
  if (verb === 'delete') blocks.delete(key);
  else if (verb === 'flush') {
    known?.items.splice(0);
    known?.byKey.clear();
  } else if (known === undefined) {
    const hasProperty = / (?:hook \S+ |timeout \d)/.test(line);
    blocks.set(key, { declaredAt: number, items: [], byKey: new Map(), ...(hasProperty && { property: number }) });
  }
}

const command = /^(add|create|insert|delete|flush) (chain|rule|set|map|element) (\S+ \S+) (\S+)/;
/** The key of the first element; kube-proxy's commands end with it. */
const element = /^[^{]*\{ (.*?)(?: comment ".*| : .*| \})$/;
