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
  const two = measure(['diff', '-v', save, other], scratch, runs, 1);
  console.log(`  chains in another order   ${figures(two)}`);
  const plain = sortedDiff(save, other, runs);
  console.log(
    `  diff of the sorted files  ${plain.toFixed(0).padStart(6)} ms wall; ${(two.wallMs / plain).toFixed(2)} x`,
  );
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

/** Median wall time of sorting both files and comparing them, as one would without the tool. */
function sortedDiff(one: string, other: string, runs: number): number {
  const script = 'sort "$1" > "$1.sorted"; sort "$2" > "$2.sorted"; diff "$1.sorted" "$2.sorted" > /dev/null';
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    spawnSync('sh', ['-c', script, 'sh', one, other], { env: { ...process.env, LC_ALL: 'C' } });
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[runs >> 1] as number;
}
