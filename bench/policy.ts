import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, measure } from './measure.ts';
import { type PolicyClusterSize, policyBenchNode, policyClusterJson } from './policyCluster.ts';

/** What compiling NetworkPolicies costs, and how large their rules are. */
export function policyBench(scratch: string, runs: number): void {
  console.log(`\nNetworkPolicies from JSON, one node's rules, process start to last byte (median of ${runs})`);
  const file = join(scratch, 'policies.json');
  const write = (size: PolicyClusterSize) => writeFileSync(file, [...policyClusterJson(size)].join(''));
  const run = (backend: string) =>
    measure(
      ['compile', '-v', '-f', file, '--node', policyBenchNode, '--policy-only', '--policy', backend],
      scratch,
      runs,
    );
  write({ pods: 5000, namespaces: 500, policies: 1000 });
  console.log(`  5000 pods, 500 namespaces, 1000 policies (${(statSync(file).size / 1e6).toFixed(0)} MB)`);
  for (const backend of backends) console.log(`    ${backend.padEnd(10)}${figures(run(backend))}`);
  console.log('  growth');
  for (const backend of backends) {
    let before: Measurement | undefined;
    for (const times of [1, 2, 4]) {
      const size = { pods: 2500 * times, namespaces: 250 * times, policies: 500 * times };
      write(size);
      const result = run(backend);
      const ratio = before === undefined ? '' : `  CPU x ${(result.cpuMs / before.cpuMs).toFixed(2)} for twice as many`;
      console.log(`    ${backend.padEnd(10)}${String(size.pods).padStart(6)} pods ${figures(result)}${ratio}`);
      before = result;
    }
  }
}

const backends = ['nftables', 'iptables'] as const;

function figures({ wallMs, cpuMs, peakMB, stages }: Measurement): string {
  const said = stages.find(({ stage }) => stage.startsWith('policies: '))?.stage ?? '';
  const wall = wallMs.toFixed(0).padStart(6);
  return `${wall} ms wall ${cpuMs.toFixed(0).padStart(6)} ms CPU ${peakMB.toFixed(0).padStart(5)} MB  ${said}`;
}
