import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { traceText } from '../../src/trace/show/traceText.ts';
import { splitShares } from '../../src/trace/splitShares.ts';
import { whois } from '../../src/trace/whois/whois.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { whyText } from '../../src/why/whyText.ts';
import { root } from '../support/compileCase.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

/** Dumps of nodes with lines lost, doubled, moved, cut and words exchanged: trace, why, whois and split come to an end. */

const nodes: readonly (readonly DumpFile[])[] = [
  'affinity-nftmode',
  'clusterip-nftmode',
  'etp-local-legacy',
  'ipvs-nodeport',
  'netpol-dual-ipset',
  'ranges-nftmode',
].map((name) => {
  const folder = join(root, 'fixtures/trace', name);
  return readdirSync(folder).map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
});

interface Change {
  readonly file: number;
  readonly kind: 'lose' | 'double' | 'move' | 'cut' | 'exchange' | 'break';
  readonly at: number;
  readonly other: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  file: fc.nat(50),
  kind: fc.constantFrom('lose', 'double', 'move', 'cut', 'exchange', 'break'),
  at: fc.nat(10_000),
  other: fc.nat(10_000),
});

function changed(files: readonly DumpFile[], { file, kind, at, other }: Change): readonly DumpFile[] {
  return files.map((one, place) => (place === file % files.length ? { ...one, text: textOf(one.text) } : one));

  function textOf(text: string): string {
    const lines = text.split('\n');
    const [here, there] = [at % lines.length, other % lines.length];
    const [line = '', words = []] = [lines[here], lines[there]?.split(' ')];
    switch (kind) {
      case 'lose':
        return lines.filter((_, place) => place !== here).join('\n');
      case 'double':
        return [...lines.slice(0, here), line, ...lines.slice(here)].join('\n');
      case 'move':
        return [...lines.slice(0, there), line, ...lines.slice(there)].join('\n');
      case 'cut':
        return replaced(lines, here, line.slice(0, other % (line.length + 1))).join('\n');
      case 'exchange': {
        const own = line.split(' ');
        return replaced(lines, here, replaced(own, at % own.length, words[at % words.length] ?? '').join(' ')).join(
          '\n',
        );
      }
      case 'break':
        return text.slice(0, Math.floor((text.length * at) / 10_000));
    }
  }
}

function replaced(items: readonly string[], at: number, by: string): readonly string[] {
  return items.map((item, place) => (place === at ? by : item));
}

const questions = [
  { from: 'node', to: '10.96.44.1:9100' },
  { from: '10.244.1.200', to: '10.96.100.1:80' },
  { from: 'outside', to: 'node:30080' },
  { from: 'outside', to: '203.0.113.40:443', proto: 'udp' },
  { from: '10.1.0.11', to: '10.1.0.13:80' },
] as const;
const names = ['KUBE-SERVICES', 'service-ips', '10.96.100.1:80', '30080', '0x4000', '0.5', 'KUBE-CLUSTER-IP'];

test('rules of mutated dumps neither hang nor crash', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...nodes),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...questions),
      fc.constantFrom(...names),
      (files, changes, question, name) => {
        const node = readDumps(changes.reduce(changed, files), { name: 'n1' });
        const tracer = createNodeTracer(node);
        const inputs = (['ipv4', 'ipv6'] as const).map((family) => tracer.tracerOf(family).input);
        whois(name, inputs, { guesses: ['shop/web:http'] });
        const result = tracer.trace(question);
        if ('kind' in result) return;
        const { family } = result.packet;
        traceText(result, tracer.endpointNames(family), { isVerbose: true });
        whyText(whyCauses(result, tracer.tracerOf(family).input), result);
        splitShares(result);
      },
    ),
    { seed: fuzzSeed, numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
  );
});
