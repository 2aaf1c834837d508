import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Texts of a case by version and file. A folder has a folder for each file, and in it one text for all versions that have
 * the same: `iptables.v4.restore/1.23+1.24`. An older version comes first.
 */
export function byVersion(folder: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const versions = new Map<string, Map<string, string>>();
  const path = join(root, folder);
  for (const file of existsSync(path) ? readdirSync(path) : []) {
    for (const names of readdirSync(join(path, file))) {
      const text = readFileSync(join(path, file, names), 'utf8');
      for (const version of names.split('+')) {
        let files = versions.get(version);
        if (files === undefined) {
          files = new Map();
          versions.set(version, files);
        }
        files.set(file, text);
      }
    }
  }
  return new Map([...versions].sort(([a], [b]) => order(a) - order(b)));
}

function order(version: string): number {
  const [, minor = 0, patch = 0] = version.split('.').map(Number);
  return minor * 1000 + patch;
}
