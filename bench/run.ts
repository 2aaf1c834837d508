import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchAgain } from './again.ts';
import { benchAgent } from './agent.ts';
import { benchNode } from './cluster.ts';
import { benchDiff } from './diff.ts';
import { benchFleet, benchFleetWalks } from './fleet.ts';
import { benchGoals } from './goals.ts';
import { benchGrowth } from './growth.ts';
import { makeCluster } from './makeCluster.ts';
import { bareNode, type Measurement, measure, startUp } from './measure.ts';
import { benchMillion } from './million.ts';
import { benchPage } from './page.ts';
import { policyBench } from './policy.ts';
import { policyKernelCost } from './policyKernelCost.ts';

/** `npm run bench`: prints figures and ratios of one run on this machine; nothing is asserted. */
const runs = Number(process.env.BENCH_RUNS ?? 5);
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-bench-'));
try {
  benchGoals(scratch, runs);
  startUps();
  large();
  growth();
  benchGrowth(scratch, Math.min(runs, 3), figures);
  await benchAgain(scratch, Math.max(runs, 10));
  benchDiff(scratch, runs, figures);
  benchFleet(scratch, Math.min(runs, 3), figures);
  await benchAgent(scratch);
  benchFleetWalks(scratch, figures);
  benchMillion(scratch, Math.min(runs, 3), figures);
  policyBench(scratch, runs);
  await policyKernelCost();
  await benchPage(scratch, Math.min(runs, 5));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function startUps(): void {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { clusterIP: '10.96.0.10', ports: [{ port: 80 }] },
  };
  const json = join(scratch, 'small.json');
  const yaml = join(scratch, 'small.yaml');
  writeFileSync(json, JSON.stringify(service));
  writeFileSync(
    yaml,
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: default\nspec:\n  clusterIP: 10.96.0.10\n  ports:\n  - port: 80\n',
  );
  const bare = bareNode(runs * 4);
  console.log(`start-up (median of ${runs * 4}); bare node ${bare.toFixed(0)} ms`);
  const line = (what: string, args: readonly string[], ends = 0) => {
    const ms = startUp(args, runs * 4, ends);
    console.log(`  ${what.padEnd(32)}${ms.toFixed(0).padStart(6)} ms  ${(ms / bare).toFixed(2)} x node`);
  };
  line('--version', ['--version']);
  line('compile one Service (JSON)', ['compile', '-q', '-f', json]);
  line('compile one Service (YAML)', ['compile', '-q', '-f', yaml]);
  line('  with its warning', ['compile', '-f', yaml]);
  const dump = join(scratch, 'small');
  startUp(['compile', '-q', '-f', json, '--out-dir', dump], 1);
  const save = join(dump, 'iptables.v4.save');
  line('--help', ['--help']);
  line('lint', ['lint', '-f', json]);
  line('diff', ['diff', '-f', json, save]);
  line('doctor', ['doctor', save]);
  // Without endpoints it is rejected.
  line('trace', ['trace', '-f', json, '--from', 'outside', '--to', '10.96.0.10:80'], 1);
  line('import', ['import', save]);
  line('emit dns', ['emit', 'dns', '-f', json]);
  line('explain K8N203', ['explain', 'K8N203']);
}

function large(): void {
  console.log(`\nlarge clusters from JSON, process start to last byte (median of ${runs})`);
  for (const [services, endpointsPerService] of [
    [10_000, 10],
    [1_000, 500],
  ] as const) {
    const file = join(scratch, 'large.json');
    makeCluster(file, { services, endpointsPerService }, 'json');
    const size = (statSync(file).size / 1e6).toFixed(0);
    for (const form of ['save', 'restore']) {
      const result = measure(['compile', '-v', '-f', file, '--node', benchNode, '-o', form], scratch, runs);
      console.log(`  ${services} x ${endpointsPerService} (${size} MB) ${form.padEnd(8)}${figures(result)}`);
    }
  }
}

function growth(): void {
  console.log('\ngrowth with the number of Services (10 endpoints each, JSON, save)');
  let before: Measurement | undefined;
  for (const services of [1_000, 2_000, 4_000, 8_000]) {
    const file = join(scratch, 'growth.json');
    makeCluster(file, { services, endpointsPerService: 10 }, 'json');
    const result = measure(['compile', '-v', '-f', file, '--node', benchNode], scratch, runs);
    const ratio = before === undefined ? '' : `  CPU x ${(result.cpuMs / before.cpuMs).toFixed(2)} for twice as many`;
    console.log(`  ${String(services).padStart(6)}  ${figures(result)}${ratio}`);
    before = result;
  }
}

function figures({ wallMs, cpuMs, peakMB, stages }: Measurement): string {
  let last = 0;
  const split = stages.map(({ ms, stage }) => {
    const text = `${stage} ${ms - last}`;
    last = ms;
    return text;
  });
  return `${wallMs.toFixed(0).padStart(6)} ms wall ${cpuMs.toFixed(0).padStart(6)} ms CPU ${peakMB.toFixed(0).padStart(5)} MB  (ms: ${split.join(', ')})`;
}
