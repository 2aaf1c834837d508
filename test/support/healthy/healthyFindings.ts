import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCli } from '../runCli.ts';
import type { HealthyCase } from './healthyCase.ts';

/** What the manifests mean for clients, on every node: source ranges, and localhost in nftables mode. */
export const trueOfManifests: ReadonlySet<string> = new Set(['K8N506', 'K8N802']);

/** What `doctor` or `diff` said of a node. */
export interface HealthyFindings {
  readonly status: number | null;
  /** Of findings that are no remarks, in their order, each once. */
  readonly ids: readonly string[];
  /** Differences without a finding. */
  readonly changes: number;
  /** Services that are as expected. */
  readonly same: number;
  readonly text: string;
}

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly seen: string;
}

export function findingsOf(args: readonly string[]): HealthyFindings {
  const { status, stdout, stderr } = runCli([...args, '-o', 'json']);
  assert.match(stdout, /^\{/, stderr);
  const { findings, changes, summary } = JSON.parse(stdout);
  const loud = (findings as readonly Finding[]).filter(({ severity }) => severity !== 'info');
  const text = [...loud.map(({ id, seen }) => `${id} ${seen}`), stderr].join('\n');
  const ids = [...new Set(loud.map(({ id }) => id))];
  return { status, ids, changes: changes?.length ?? 0, same: summary.same, text };
}

/** The options of `diff` that say what kube-proxy runs with. */
export function manifestsOf({ folder, args }: HealthyCase): readonly string[] {
  return ['-f', join(folder, 'manifests.yaml'), '--node', 'n1', ...args, '-q'];
}
