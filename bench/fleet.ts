import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetJson } from './cluster.ts';
import { type Measurement, measure } from './measure.ts';

const nodes = 200;
const singles = 10;

/**
 * A fleet of 200 nodes with 1,000 Services, two of the nodes damaged, against single runs: some are measured in turns with the
 * fleet, and scaled. `figures` writes a measurement.
 */
export function benchFleet(scratch: string, runs: number, figures: (measured: Measurement) => string): void {
  const manifests = join(scratch, 'fleet.json');
  const compiled = join(scratch, 'fleet');
  const folder = join(scratch, 'fleet-nodes');
  writeFileSync(manifests, fleetJson({ services: 1_000, endpointsPerService: 10 }, nodes));
  const all = ['compile', '-q', '-f', manifests, '--all-nodes', '--out-dir', compiled];
  mkdirSync(folder, { recursive: true });
  console.log(`\n${nodes} nodes x 1000 Services, two damaged (in turns, ${runs} times; ${singles} single runs scaled)`);
  const wholeCompile = measure(all, scratch, 1);
  console.log(`  compile --all-nodes       ${figures(wholeCompile)}`);
  const oneCompile = once(singles, (at) =>
    measure(
      ['compile', '-q', '-f', manifests, '--node', `node-${at + 1}`, '--out-dir', join(scratch, 'one')],
      scratch,
      1,
    ),
  );
  console.log(`    against single runs     ${ratios(oneCompile, wholeCompile)}`);
  for (let node = 1; node <= nodes; node += 1)
    cpSync(join(compiled, `node-${node}`, 'iptables.v4.save'), join(folder, `node-${node}.save`));
  for (const node of [17, 29]) damage(join(folder, `node-${node}.save`));
  for (let run = 0; run < runs; run += 1) {
    const one = once(singles, (at) => {
      const file = join(folder, `node-${at + 1}.save`);
      return measure(['diff', '-q', '-f', manifests, '--node', `node-${at + 1}`, file], scratch, 1);
    });
    const fleet = measure(['diff', '-q', '-f', manifests, folder], scratch, 1, 1);
    console.log(`  diff of the fleet         ${figures(fleet)}`);
    console.log(`    against single runs     ${ratios(one, fleet)}`);
    const found = readFileSync(join(scratch, 'out'), 'utf8').split('\n')[0];
    console.log(`    ${found}; ${(nodes / (fleet.cpuMs / 1000)).toFixed(1)} nodes a second and core`);
  }
}

/** Sums of some runs. */
function once(count: number, run: (at: number) => Measurement): Pick<Measurement, 'wallMs' | 'cpuMs'> {
  const all = Array.from({ length: count }, (_, at) => run(at));
  const sum = (of: 'wallMs' | 'cpuMs') => all.reduce((total, each) => total + each[of], 0) / count;
  return { wallMs: sum('wallMs'), cpuMs: sum('cpuMs') };
}

function ratios(one: Pick<Measurement, 'wallMs' | 'cpuMs'>, whole: Measurement): string {
  const wall = (one.wallMs * nodes) / whole.wallMs;
  const cpu = (one.cpuMs * nodes) / whole.cpuMs;
  return `one ${one.wallMs.toFixed(0)} ms wall ${one.cpuMs.toFixed(0)} ms CPU; ${wall.toFixed(1)} x less wall, ${cpu.toFixed(1)} x less CPU than ${nodes}`;
}

function damage(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=--to-destination )10\.\S+/, '192.0.2.1:9'));
}
