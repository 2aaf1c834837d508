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

/** What packets meet on 50 nodes with 200 Services, by `migrate` and `reach`, against single runs. */
export function benchFleetWalks(scratch: string, figures: (measured: Measurement) => string): void {
  const count = 50;
  const manifests = join(scratch, 'walked.json');
  const compiled = join(scratch, 'walked');
  const folder = join(scratch, 'walked-nodes');
  writeFileSync(manifests, fleetJson({ services: 200, endpointsPerService: 10 }, count));
  measure(['compile', '-q', '-f', manifests, '--all-nodes', '--out-dir', compiled], scratch, 1);
  mkdirSync(folder, { recursive: true });
  for (let node = 1; node <= count; node += 1)
    cpSync(join(compiled, `node-${node}`, 'iptables.v4.save'), join(folder, `node-${node}.save`));
  console.log(`\n${count} nodes x 200 Services (${walkSingles} single runs scaled)`);
  const commands = [
    ['migrate', '-q', '-f', manifests, '--to', 'nftables'],
    ['reach', '-q', '-f', manifests],
    ['reach', '-q'],
  ];
  for (const command of commands) {
    const isNamed = command.includes('-f');
    const ends = command[0] === 'migrate' ? 1 : 0;
    const one = once(walkSingles, (at) => {
      const node = isNamed ? ['--node', `node-${at + 1}`] : [];
      return measure([...command, ...node, join(folder, `node-${at + 1}.save`)], scratch, 1, ends);
    });
    const fleet = measure([...command, folder], scratch, 1, ends);
    console.log(`  ${`${command[0]}${isNamed ? ' -f' : ''}`.padEnd(25)} ${figures(fleet)}`);
    console.log(`    against single runs     ${ratios(one, fleet, count)}`);
  }
}

const walkSingles = 5;

/** Sums of some runs. */
function once(count: number, run: (at: number) => Measurement): Pick<Measurement, 'wallMs' | 'cpuMs'> {
  const all = Array.from({ length: count }, (_, at) => run(at));
  const sum = (of: 'wallMs' | 'cpuMs') => all.reduce((total, each) => total + each[of], 0) / count;
  return { wallMs: sum('wallMs'), cpuMs: sum('cpuMs') };
}

function ratios(one: Pick<Measurement, 'wallMs' | 'cpuMs'>, whole: Measurement, count = nodes): string {
  const wall = (one.wallMs * count) / whole.wallMs;
  const cpu = (one.cpuMs * count) / whole.cpuMs;
  return `one ${one.wallMs.toFixed(0)} ms wall ${one.cpuMs.toFixed(0)} ms CPU; ${wall.toFixed(1)} x less wall, ${cpu.toFixed(1)} x less CPU than ${count}`;
}

function damage(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=--to-destination )10\.\S+/, '192.0.2.1:9'));
}
