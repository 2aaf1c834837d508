import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What `iptables-save -t TABLE` prints on the node of a dump, as a file of the same name in another folder. */
export function savedTable(file: string, table: string, folder: string): string {
  const part = new RegExp(`^\\*${table}\\n[^]*?^COMMIT\\n`, 'm').exec(readFileSync(file, 'utf8'));
  assert.ok(part !== null, file);
  const path = join(folder, basename(file));
  writeFileSync(path, part[0]);
  return path;
}
