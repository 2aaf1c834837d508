import { basename } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** Modules of the program that are needed together, as the body of a function that gives what others use of them. */
export interface ProgramChunk {
  readonly name: string;
  /** Of `k8snetChunk`, `k8snetLoad`, `k8snetFolder` and `require`; ASCII only. */
  readonly body: string;
}

/**
 * The bundle of an entry in chunks; the entry is `run`. esbuild makes modules of them, for which the engine can keep no
 * code; here they become functions, which another chunk evaluates by its first use, by `k8snetChunk(name)`, or by
 * `await k8snetLoad(name)` where it imports late.
 */
export async function programChunks(entry: string, options: BuildOptions): Promise<readonly ProgramChunk[]> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { run: entry },
    splitting: true,
    write: false,
    metafile: true,
    banner: {},
    define: { ...options.define, 'import.meta.dirname': 'k8snetFolder' },
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  return outputFiles.map(({ path, text }) => {
    const imports = outputs.get(basename(path))?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    return { name: basename(path, '.js'), body: functionBody(path, text, imports.length) };
  });
}

const importStatement = /\bimport(?:(?:(\s+[\w$]+\s+)|(\{[^}]*\}))from)?"([^"]+)";/g;
const exportStatement = /\bexport(\{[^}]*\});\s*$/;

function functionBody(path: string, text: string, imports: number): string {
  const head: string[] = [];
  const body = text
    .replace(importStatement, (_, whole: string | undefined, named: string | undefined, from: string) => {
      head.push(binding(whole?.trim() ?? (named && destructured(named)), from));
      return '';
    })
    .replace(exportStatement, (_, named: string) => `return${exported(named)};`)
    .replace(/\bimport\("\.\/([\w-]+)\.js"\)/g, 'k8snetLoad("$1")')
    // A script that is read byte by byte: of what is not ASCII, esbuild leaves that in regular expressions as it is.
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (head.length !== imports) throw new Error(`${path}: ${head.length} of ${imports} imports found`);
  const [left] = /\b(?:import(?:\(|\.meta)|export\{).{0,60}/.exec(body) ?? [];
  if (left !== undefined) throw new Error(`${path} is still a module: ${left}`);
  // Modules that are not ready when they are imported would have to be asked at each use.
  if (/__esm\(/.test(body)) throw new Error(`${path} has modules that are evaluated later`);
  return `"use strict";${head.join('')}${body}`;
}

/** Modules do nothing but define (`sideEffects` in package.json): one of which nothing is used is not evaluated. */
function binding(names: string | undefined, from: string): string {
  const [, chunk] = /^\.\/([\w-]+)\.js$/.exec(from) ?? [];
  if (names === undefined) return '';
  return `const ${names}=${chunk === undefined ? `require(${JSON.stringify(from)})` : `k8snetChunk("${chunk}")`};`;
}

/** `{a as b,c}` of an import. */
function destructured(named: string): string {
  return named.replace(/\s+as\s+/g, ':');
}

/** `{a as b,c}` of an export. */
function exported(named: string): string {
  return named.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$2:$1');
}
