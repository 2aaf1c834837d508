import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';
import { type Measurement, measure } from './measure.ts';

/**
 * What is done beside compiling, with a cluster and with one ten times as large: whatever takes much more than ten times
 * the CPU time is not linear. `figures` writes a measurement.
 */
export function benchGrowth(scratch: string, runs: number, figures: (measured: Measurement) => string): void {
  const before = new Map<string, Measurement>();
  console.log(`\nbeside rules (10 endpoints a Service, JSON; median of ${runs})`);
  for (const services of [1_000, 10_000]) {
    const manifests = join(scratch, 'growth.json');
    const save = join(scratch, 'growth.save');
    makeCluster(manifests, { services, endpointsPerService: 10 }, 'json');
    measure(['compile', '-q', '-f', manifests, '--node', benchNode], scratch, 1);
    writeFileSync(save, readFileSync(join(scratch, 'out')));
    const lost = join(scratch, 'lost.save');
    const { address: asked, service } = withoutJump(save, lost);
    const objects = ['-f', manifests];
    const against = [...objects, '--node', benchNode, save];
    const why = ['why', '--from', 'node', '--to', asked];
    const works: readonly Work[] = [
      ['emit dns', ['emit', 'dns', ...objects]],
      ['emit dns --resolve', ['emit', 'dns', '--resolve', 'a.b', ...objects]],
      ['emit env', ['emit', 'env', '--namespace', 'default', ...objects]],
      ['emit lb', ['emit', 'lb', ...objects]],
      ['emit routes', ['emit', 'routes', '--node', benchNode, ...objects]],
      ['explain modes', ['explain', 'modes', ...objects]],
      ['lint', ['lint', ...objects]],
      ['import of the dump', ['import', save]],
      ['doctor of the dump', ['doctor', save]],
      ['doctor -f', ['doctor', ...against]],
      ['trace', ['trace', '--from', 'outside', ...objects, '--node', benchNode, '--to', '10.96.0.1:80', save]],
      ['diff', ['diff', ...against]],
      ['diff --compare behaviour', ['diff', '--compare', 'behaviour', ...against]],
      ['convert --check', ['convert', '--check', '--to', 'nftables', save]],
      ['why, its jump is lost', [...why, lost], 1],
      ['why -f, its jump is lost', [...why, ...objects, '--node', benchNode, lost], 1],
      ['check-service, the same', ['check-service', service, ...objects, '--node', benchNode, lost], 1],
    ];
    for (const [name, args, ends = 0] of works) {
      const measured = measure(args, scratch, runs, ends);
      const smaller = before.get(name);
      const ratio =
        smaller === undefined ? '' : `  CPU x ${(measured.cpuMs / smaller.cpuMs).toFixed(1)} for ten times as many`;
      console.log(`  ${name.padEnd(26)}${String(services).padStart(6)}  ${figures(measured)}${ratio}`);
      before.set(name, measured);
    }
  }
}

/** A name, a command line, and how it ends. */
type Work = readonly [name: string, args: readonly string[], ends?: number];

/**
 * Writes the dump without one Service's rule in KUBE-SERVICES, and gives the Service, with the address and port that nothing
 * leads from then.
 */
function withoutJump(from: string, to: string): { readonly address: string; readonly service: string } {
  const lines = readFileSync(from, 'utf8').split('\n');
  const jumps = lines.flatMap((line, at) => (/^-A KUBE-SERVICES .* -j KUBE-SVC-/.test(line) ? [at] : []));
  const [lost = ''] = lines.splice(jumps[jumps.length >> 1] ?? 0, 1);
  writeFileSync(to, lines.join('\n'));
  const [, address, service = '', port] = / -d ([\d.]+)\/32 .* "([^":]+):.* --dport (\d+)/.exec(lost) ?? [];
  return { address: `${address}:${port}`, service };
}
