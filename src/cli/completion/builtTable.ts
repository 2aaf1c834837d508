import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedded } from '../../common/embedded.ts';
import type { CommandTable } from './commandTable.ts';

/** The table of commands that the build has written; undefined: this is not a build. */
export function builtTable(): CommandTable | undefined {
  try {
    const text = embedded('commands.json') ?? readFileSync(join(import.meta.dirname, 'commands.json'), 'utf8');
    return JSON.parse(text) as CommandTable;
  } catch {
    return undefined;
  }
}
