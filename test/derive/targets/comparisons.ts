import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../support/golden.ts';
import { networkComparisons } from './networkComparisons.ts';

export interface ExpectedOutcome {
  readonly kind: keyof typeof comparisons | JudgedElsewhere;
  readonly exit: number;
  /** Diagnostics that have to appear. */
  readonly codes: readonly string[];
  /** A recorded file whose lines are in the output. */
  readonly subset?: string;
  /** Parts that are free. */
  readonly ignore?: readonly string[];
}

/** Outcomes that a real program judges, in a test of its own. */
export type JudgedElsewhere = 'nginx' | 'haproxy' | 'nginx-stream' | 'routes-script';

interface Outcome {
  readonly name: string;
  readonly stdout: string;
  /** The folder that OUT stood for. */
  readonly out: string;
  readonly expected: ExpectedOutcome;
}

/** By kind of outcome: what has to be the same as was recorded, and what is free. */
export const comparisons = {
  exit: () => undefined,
  text: ({ name, stdout }: Outcome) => assert.equal(stdout.trimEnd(), recordedFor(name, 'expected.txt').trimEnd()),
  json: ({ name, stdout }: Outcome) =>
    assert.deepEqual(JSON.parse(stdout), JSON.parse(recordedFor(name, 'expected.json'))),
  env: ({ name, stdout, expected }: Outcome) => {
    // The order is free between recordings, ours is tested elsewhere.
    assert.deepEqual(stdout.trim().split('\n').sort(), recordedFor(name, 'expected.env').trim().split('\n').sort());
    const shown = expected.subset === undefined ? '' : recordedFor(name, expected.subset);
    for (const line of shown.split('\n')) assert.ok(stdout.includes(line), line);
  },
  export: ({ name, stdout }: Outcome) => {
    const { stdout: seen } = spawnSync('env', ['-i', '/bin/sh', '-c', `${stdout}\nexec env`], { encoding: 'utf8' });
    const variables = seen.split('\n').filter((line) => !/^(?:PWD|OLDPWD|SHLVL|_)=|^$/.test(line));
    assert.deepEqual(variables.sort(), recordedFor(name, 'expected.env').trim().split('\n').sort());
  },
  resolv: ({ name, stdout }: Outcome) =>
    assert.deepEqual(readResolvConf(stdout), readResolvConf(recordedFor(name, 'expected.conf'))),
  zones: ({ name, out }: Outcome) => {
    const records = readdirSync(out)
      .filter((file) => file.endsWith('.zone'))
      .flatMap((file) => readFileSync(join(out, file), 'utf8').trim().split('\n'))
      .map((line) => line.replace(/^(\S+) (\d+) IN /, '$1 $2 '));
    const wanted = recordedFor(name, 'expected.records').split('\n');
    assert.deepEqual(records.sort(), wanted.filter((line) => line !== '' && !line.startsWith('#')).sort());
  },
  routes: ({ name, stdout, expected }: Outcome) =>
    networkComparisons.routes(recordedFor(name, 'expected.routes'), stdout, expected.ignore ?? []),
  'route-n-subset': ({ name, stdout }: Outcome) =>
    networkComparisons['route-n-subset'](recordedFor(name, 'expected.subset'), stdout),
  'routes-overlaps': ({ name, stdout }: Outcome) =>
    networkComparisons['routes-overlaps'](recordedFor(name, 'expected.json'), stdout),
  rules: ({ name, stdout }: Outcome) => networkComparisons.rules(recordedFor(name, 'expected.rules'), stdout),
} satisfies Record<string, (outcome: Outcome) => void>;

/** Servers and searches have an order, options none. */
function readResolvConf(text: string): unknown {
  const fields = text.split('\n').map((line) => line.split(/\s+/));
  const of = (name: string) => fields.filter(([first]) => first === name).flatMap(([, ...rest]) => rest);
  return { nameservers: of('nameserver'), searches: of('search'), options: of('options').sort() };
}

/** A recorded file of a case; a case without it is wrong. */
export function recordedFor(name: string, file: string): string {
  const text = recorded(`emit/${name}/${file}`);
  assert.ok(text !== undefined, `golden/recorded/emit/${name}/${file} is missing`);
  return text;
}
