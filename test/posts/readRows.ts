import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/compileCase.ts';

/** Inputs of the rows: command lines run here, and `B/` in them is the folder of the posts' code blocks. */
export const rowsFolder = join(root, 'fixtures/posts-rows');

/** What an output has, or has not. */
export interface Claim {
  /** `blocks/…` for `lines`, `order` and `output`. */
  readonly text: string;
  /**
   * `holds`: the text, with any space between its words; `matches`: the pattern; `lacks`: not the text. Of a file: `lines`,
   * each of its rules is a line of the output; `order`, in the same order too; `output`, it is the output.
   */
  readonly kind: 'holds' | 'matches' | 'lacks' | 'lines' | 'order' | 'output';
}

/** A claim of a post, or a code block of one: the command that tries it, how that ends, and what it says. */
export interface Row {
  readonly id: string;
  readonly command: string;
  readonly status: number;
  readonly claims: readonly Claim[];
  /** `S.txt:3` */
  readonly at: string;
}

/** `S1 | compile -f s1.yaml | 0`, and below it a claim a line. */
export function readRows(): readonly Row[] {
  return readdirSync(join(rowsFolder, 'rows')).flatMap((file) => {
    const rows: (Row & { claims: Claim[] })[] = [];
    for (const [index, line] of linesOf(join(rowsFolder, 'rows', file)).entries()) {
      const at = `${file}:${index + 1}`;
      if (line.startsWith('  ')) rows.at(-1)?.claims.push(claimOf(line.trim()));
      else if (line !== '') {
        const [id, command, status, ...rest] = line.split(' | ');
        if (!id || !command || !status || rest.length > 0) throw new Error(`${at}: ${line}`);
        rows.push({ id, command: command.replaceAll('B/', 'blocks/'), status: Number(status), claims: [], at });
      }
    }
    return rows;
  });
}

/** `000-01 | why`: what nothing can be computed of. */
export function readReasons(file: string): ReadonlyMap<string, string> {
  return new Map(linesOf(join(rowsFolder, file)).map((line) => line.split(' | ') as [string, string]));
}

function claimOf(line: string): Claim {
  const [, kind, of] = /^(lacks|lines|order|output): (.+)$/.exec(line) ?? [];
  if (kind === 'lacks') return { kind, text: of as string };
  if (kind !== undefined) return { kind: kind as Claim['kind'], text: (of as string).replace('B/', 'blocks/') };
  const pattern = /^\/(.+)\/$/.exec(line)?.[1];
  return pattern === undefined ? { kind: 'holds', text: line } : { kind: 'matches', text: pattern };
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}
