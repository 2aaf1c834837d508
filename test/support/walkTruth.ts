import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import type { KernelWays } from '../kernel/walk/kernelWays.ts';
import type { RulePart } from '../kernel/walk/loadParts.ts';
import type { WalkedOutcome } from '../kernel/walk/walkedWays.ts';
import { root } from './compileCase.ts';

/** A rule set on which a walk and the kernel did not agree once. */
export interface TruthCase {
  readonly parts: readonly RulePart[];
  /** As `trace --batch` takes it. */
  readonly probe: TruthProbe;
  /** Which packet they did not agree on. */
  readonly what: string;
  readonly sysctls: Readonly<Record<string, string | number>>;
}

export interface TruthProbe {
  readonly from: string;
  readonly to: string;
  readonly proto: 'tcp' | 'udp' | 'sctp';
  readonly in?: string;
  readonly physin?: string;
}

export interface TruthExpected {
  /** Every way that the kernel was seen to take: several only where the rules leave it to chance. */
  readonly kernel: readonly KernelWays[];
  readonly walk: readonly WalkedOutcome[];
  /** What is particular. */
  readonly note?: string;
}

const folder = join(root, 'fixtures/walk-truth');

export const truthCases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'case.json')));

export function truthCase(name: string): TruthCase {
  return JSON.parse(readFileSync(join(folder, name, 'case.json'), 'utf8')) as TruthCase;
}

/** What the node's tools showed once the rules were loaded. */
export function truthDump(name: string): readonly DumpFile[] {
  const places = [join(folder, name, 'dump'), join(folder, 'network')];
  return places.flatMap((place) =>
    readdirSync(place).map((file): DumpFile => {
      const kind = kinds.get(file.split('.')[0] ?? '');
      return { name: file, text: readFileSync(join(place, file), 'utf8'), ...(kind && { kind }) };
    }),
  );
}

/** Files of a dump by how their names begin; those of rules tell themselves. */
const kinds: ReadonlyMap<string, NonNullable<DumpFile['kind']>> = new Map([
  ['addresses', 'addresses'],
  ['routes', 'routes'],
  ['policy-rules', 'rules'],
  ['bridge', 'bridge'],
  ['sysctl', 'sysctl'],
]);

/** Writes what the lab showed: of the network, which is one for all cases, once. */
export function writeTruthDump(name: string, files: readonly DumpFile[]): void {
  for (const { name: file, text, kind } of files) {
    const place = join(folder, kind === undefined ? join(name, 'dump') : 'network');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, file), text);
  }
}

export function truthExpected(name: string): TruthExpected | undefined {
  const file = join(folder, name, 'expected.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TruthExpected) : undefined;
}

export function writeTruthExpected(name: string, expected: TruthExpected): void {
  writeFileSync(join(folder, name, 'expected.json'), `${JSON.stringify(expected, undefined, 2)}\n`);
}

/** Address and port of one end. */
export function truthEnd(text: string): { readonly address: string; readonly port: number } {
  const at = text.lastIndexOf(':');
  return { address: text.slice(0, at).replace(/[[\]]/g, ''), port: Number(text.slice(at + 1)) };
}
