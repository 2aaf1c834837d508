import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { toFiles } from '../../src/public/core.ts';
import { orThrow } from '../../src/public/result.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileCase, root } from '../support/compileCase.ts';

/** A recorded dump and what it was recorded from. */
export interface RecordedDump {
  readonly name: string;
  /** Folder below fixtures. */
  readonly fixture: string;
  readonly args: readonly string[];
  readonly file: string;
  readonly family: 'ipv4' | 'ipv6';
}

/** Every recorded iptables-save of every version. */
export function recordedSaves(): readonly RecordedDump[] {
  const dumps: RecordedDump[] = [];
  for (const name of readdirSync(join(root, 'golden/recorded/services'))) {
    for (const family of ['ipv4', 'ipv6'] as const) {
      const file = `services/${name}/iptables/iptables.${family === 'ipv4' ? 'v4' : 'v6'}.save`;
      const args = ['--kube-version', '1.30', '--mode', 'iptables'];
      if (exists(file)) dumps.push({ name: `${name} ${family}`, fixture: `services/${name}`, args, file, family });
    }
  }
  for (const name of readdirSync(join(root, 'golden/recorded/dialects'))) {
    for (const version of readdirSync(join(root, 'golden/recorded/dialects', name)).filter((entry) =>
      /^1\./.test(entry),
    )) {
      const file = `dialects/${name}/${version}/iptables.v4.save`;
      const args = ['--kube-version', version];
      if (exists(file))
        dumps.push({ name: `${name} ${version}`, fixture: `dialects/${name}`, args, file, family: 'ipv4' });
    }
  }
  return dumps;
}

function exists(file: string): boolean {
  try {
    readFileSync(join(root, 'golden/recorded', file));
    return true;
  } catch {
    return false;
  }
}

export function textOf(dump: RecordedDump): string {
  return readFileSync(join(root, 'golden/recorded', dump.file), 'utf8');
}

export async function compiledFor(dump: RecordedDump): Promise<Compiled> {
  const { compiled } = await compileCase(dump.fixture, ...dump.args, '--family', dump.family);
  if (compiled === undefined) throw new Error(`${dump.name} does not compile`);
  return compiled;
}

export function diffText(compiled: Compiled, texts: readonly string[], family: 'ipv4' | 'ipv6' | 'both'): DiffReport {
  const files = texts.map((text, at) => ({ name: `dump${at}`, text }));
  const dump = readDumps(files, { name: 'node', family: family === 'both' ? undefined : family });
  return diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family, ...noObjectFacts });
}

/** The files of a node that is as its manifests say, and what a comparison says of others. */
export async function wholeNode(fixture: string, mode: string, version: string) {
  const { compiled } = await compileCase(`services/${fixture}`, '--mode', mode, '--kube-version', version);
  if (compiled === undefined) throw new Error(`${fixture} does not compile`);
  const { all } = await orThrow(toFiles(compiled, { hasNfacct: false, policy: undefined }), () => undefined);
  const files: readonly DumpFile[] = all
    .filter(({ name }) => name.endsWith('.save'))
    .map(({ name, text }) => ({ name, text: joined(text()) }));
  const diff = (dumps: readonly DumpFile[]) => {
    const dump = readDumps(dumps, { name: 'node', family: undefined });
    return diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts });
  };
  return { files, diff };
}

function joined(pieces: string | Iterable<string>): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

export function fails(report: DiffReport): boolean {
  return report.findings.some(isFailing) || report.changes.length > 0;
}

/** What a report says, for messages of tests. */
export function said(report: DiffReport): string {
  return [
    ...report.findings.filter(isFailing).map(({ code, what }) => `${code} ${what}`),
    ...report.changes.map((change) => `change ${JSON.stringify(change)}`),
    ...report.unread.map(({ line, message }) => `unread ${line}: ${message}`),
  ].join('\n');
}
