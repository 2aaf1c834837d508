import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';
import { type Measurement, measure } from './measure.ts';

/**
 * Two large dumps against each other, beside `diff` of their sorted lines in the same run, and manifests against their
 * dump. `figures` writes a measurement.
 */
export function benchDiff(scratch: string, runs: number, figures: (measured: Measurement) => string): void {
  const manifests = join(scratch, 'diff.json');
  const save = join(scratch, 'diff.save');
  makeCluster(manifests, { services: 10_000, endpointsPerService: 10 }, 'json');
  measure(['compile', '-q', '-f', manifests, '--node', benchNode], scratch, 1);
  const text = readFileSync(join(scratch, 'out'), 'utf8');
  writeFileSync(save, text);
  const edited = join(scratch, 'edited.save');
  writeFileSync(edited, withFaults(text, differences));
  const other = join(scratch, 'shuffled.save');
  writeFileSync(other, shuffled(withFaults(text, differences)));

  console.log(`\ntwo dumps of ${text.split('\n').length} lines, ${differences} differences (median of ${runs})`);
  for (const [what, file] of [
    ['chains in the same order', edited],
    ['chains in another order', other],
  ] as const) {
    const two = measure(['diff', '-v', save, file], scratch, runs, 1);
    console.log(`  ${what.padEnd(24)}  ${figures(two)}`);
    const plain = sortedDiff(save, file, runs);
    const ratios = `${(two.wallMs / plain.wallMs).toFixed(2)} x wall, ${(two.cpuMs / plain.cpuMs).toFixed(2)} x CPU`;
    console.log(
      `    diff of the sorted files${plain.wallMs.toFixed(0).padStart(6)} ms wall ${plain.cpuMs.toFixed(0).padStart(6)} ms CPU; ${ratios}`,
    );
  }
  console.log(`  equal                     ${figures(measure(['diff', '-v', save, save], scratch, runs))}`);

  console.log(`\n10000 Services' manifests against their dump (median of ${runs})`);
  const against = ['diff', '-v', '-f', manifests, '--node', benchNode];
  console.log(`  equal                     ${figures(measure([...against, save], scratch, runs))}`);
  console.log(`  ${differences} differences           ${figures(measure([...against, edited], scratch, runs, 1))}`);
}

const differences = 100;

/** Endpoints that lead elsewhere, spread over the whole text. */
function withFaults(text: string, count: number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((line, at) => (line.includes(' --to-destination ') ? [at] : []));
  const step = Math.floor(places.length / count);
  for (let one = 0; one < count; one += 1) {
    const at = places[one * step] as number;
    lines[at] = (lines[at] as string).replace(/--to-destination \S+/, '--to-destination 192.0.2.1:9');
  }
  return lines.join('\n');
}

/** The same rules, the chains of each table in another order: what a fresh kernel may print. */
function shuffled(text: string): string {
  return text
    .split(/(?<=^COMMIT\n)/m)
    .map((table) => {
      const lines = table.split('\n');
      const head = lines.filter((line) => !line.startsWith('-A ') && line !== 'COMMIT' && line !== '');
      const chains = new Map<string, string[]>();
      for (const line of lines) {
        if (!line.startsWith('-A ')) continue;
        const name = line.slice(3, line.indexOf(' ', 3));
        const own = chains.get(name);
        if (own) own.push(line);
        else chains.set(name, [line]);
      }
      const order = [...chains.values()];
      let seed = 1;
      for (let at = order.length - 1; at > 0; at -= 1) {
        seed = (seed * 48_271) % 0x7fffffff;
        const other = seed % (at + 1);
        [order[at], order[other]] = [order[other] as string[], order[at] as string[]];
      }
      return head.length === 0 ? table : [...head, ...order.flat(), 'COMMIT', ''].join('\n');
    })
    .join('');
}

/** Sorts both files and compares them, as one would without the tool: the run with the median wall time. */
function sortedDiff(one: string, other: string, runs: number): Pick<Measurement, 'wallMs' | 'cpuMs'> {
  const script = 'sort "$1" > "$1.sorted"; sort "$2" > "$2.sorted"; diff "$1.sorted" "$2.sorted" > /dev/null; times';
  const all = Array.from({ length: runs }, () => {
    const start = performance.now();
    const env = { ...process.env, LC_ALL: 'C' };
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', one, other], { env, encoding: 'utf8' });
    const wallMs = performance.now() - start;
    // Minutes and seconds of the shell, then of what it ran.
    const seconds = [...stdout.matchAll(/(\d+)m([\d.]+)s/g)].map((match) => 60 * Number(match[1]) + Number(match[2]));
    return { wallMs, cpuMs: 1000 * seconds.reduce((sum, part) => sum + part, 0) };
  });
  return all.sort((a, b) => a.wallMs - b.wallMs)[runs >> 1] as Pick<Measurement, 'wallMs' | 'cpuMs'>;
}
