import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/compileCase.ts';

/** A cluster of `fixtures/healthy` with a fault, or with something that looks like one. */
export interface AidCase {
  readonly name: string;
  readonly what: string;
  /** Folder of `fixtures/healthy`. */
  readonly base: string;
  readonly service: string;
  readonly verdict: 'in-order' | 'broken' | 'unknown';
  /** Id of the first cause. */
  readonly first?: string;
  readonly args?: readonly string[];
  /** False: the objects alone are given. */
  readonly hasNode?: boolean;
  /** False: the dump alone is given. */
  readonly hasObjects?: boolean;
  readonly edits?: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  readonly adds?: readonly { readonly file: string; readonly text: string }[];
}

const folder = join(root, 'fixtures/check-service');

export function aidCases(): readonly AidCase[] {
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, ...JSON.parse(readFileSync(join(folder, name, 'case.json'), 'utf8')) }));
}

/** The cluster in a folder of its own; `remove` takes it away. */
export function plantCase({ name, base, edits = [], adds = [] }: AidCase): {
  readonly cwd: string;
  readonly remove: () => void;
} {
  const cwd = mkdtempSync(join(tmpdir(), 'k8snet-aid-'));
  cpSync(join(root, 'fixtures/healthy', base), cwd, { recursive: true });
  for (const { file, from, to } of edits) {
    const path = join(cwd, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(new RegExp(from, 'g'), to);
    assert.notEqual(changed, text, `${name}: ${file} has no ${from}`);
    writeFileSync(path, changed);
  }
  for (const { file, text } of adds) {
    const path = join(cwd, file);
    writeFileSync(path, `${existsSync(path) ? readFileSync(path, 'utf8') : ''}${text}`);
  }
  return { cwd, remove: () => rmSync(cwd, { recursive: true }) };
}

/** What follows the command's name; paths are those of the case's folder. */
export function argsOf({ service, hasNode = true, hasObjects = true, args = [] }: AidCase): readonly string[] {
  return [service, ...(hasObjects ? ['-f', 'manifests.yaml'] : []), ...args, ...(hasNode ? ['node'] : [])];
}
