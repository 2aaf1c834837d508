import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { releaseDate } from './release/releaseDate.ts';

/** Writes the manual pages of the command line that was built into `dist`, each as `man/NAME.1.gz`. */
export function writeManuals(dist: string): void {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const words = [join(dist, 'main.cjs'), '__manuals', releaseDate()];
  const pages = JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  mkdirSync(join(dist, 'man'), { recursive: true });
  for (const [name, text] of Object.entries<string>(pages))
    writeFileSync(join(dist, 'man', `${name}.1.gz`), sameEverywhere(gzipSync(text, { level: 9 })));
}

/** gzip names the system that packed. */
function sameEverywhere(packed: Buffer): Buffer {
  packed[9] = 255;
  return packed;
}
