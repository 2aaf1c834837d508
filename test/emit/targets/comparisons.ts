import assert from 'node:assert/strict';
import { recorded } from '../../support/golden.ts';

export interface ExpectedOutcome {
  readonly kind: keyof typeof comparisons | JudgedElsewhere;
  readonly exit: number;
  /** Diagnostics that have to appear. */
  readonly codes: readonly string[];
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
} satisfies Record<string, (outcome: Outcome) => void>;

/** A recorded file of a case; a case without it is wrong. */
export function recordedFor(name: string, file: string): string {
  const text = recorded(`emit/${name}/${file}`);
  assert.ok(text !== undefined, `golden/recorded/emit/${name}/${file} is missing`);
  return text;
}
