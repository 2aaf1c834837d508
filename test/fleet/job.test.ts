import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { parse } from 'yaml';

interface Job {
  readonly kind: string;
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly parallelism: number;
    readonly template: {
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly containers: readonly { readonly command: readonly string[] }[];
      };
    };
  };
}

it('the Job has as many indexes as its command has shards, and no account', () => {
  const { kind, spec } = parse(readFileSync('deploy/fleet-job/job.yaml', 'utf8')) as Job;
  const [container] = spec.template.spec.containers;
  const [, of] = /--shard "\$JOB_COMPLETION_INDEX\/(\d+)"/.exec(container?.command.at(-1) ?? '') ?? [];
  assert.equal(kind, 'Job');
  assert.equal(spec.completionMode, 'Indexed');
  assert.equal(Number(of), spec.completions);
  assert.equal(spec.template.spec.automountServiceAccountToken, false);
});
