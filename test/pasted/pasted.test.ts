import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readNodeDump } from '../../src/cli/dumps/readNodeDump.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { isBalancingChain } from '../../src/netfilter/proxyChains.ts';
import { ruleEntrances } from '../../src/trace/known/ruleEntrances.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { protocolName } from '../../src/trace/question/protocolName.ts';
import { splitShares } from '../../src/trace/splitShares.ts';
import { endText } from '../../src/walk/values/text.ts';
import { root } from '../support/compileCase.ts';
import { messagesTo } from '../support/messagesTo.ts';

const folder = join(root, 'fixtures/pasted');

interface Diagnosis {
  readonly file: string;
  /** Ids, or `refused` and what must be said of the text. */
  readonly findings: readonly string[];
  readonly refusal: string | undefined;
}

/** The rows of the table in fixtures/pasted/README.md. */
const diagnoses = readFileSync(join(folder, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line): readonly Diagnosis[] => {
    const [, file = '', findings = ''] = line.split('|').map((cell) => cell.trim());
    if (!file.endsWith('.txt')) return [];
    const refusal = /^refused: (.*)$/.exec(findings)?.[1];
    return [{ file, refusal, findings: refusal === undefined && findings !== '' ? findings.split(' ') : [] }];
  });

/** A part of a node says so of itself; it is never all that is wrong. */
const aboutTheDump = new Set(['K8N107', 'K8N110']);

/** A line like this is no talk around a dump. */
const ruleLike =
  /^\W*(?:\[\d+:\d+\] )?(?:-[AINP] \S+ -|:[A-Z]\S+ (?:[A-Z]+|-) \[|Chain \S+ \()|KUBE-[A-Z]+-[A-Z0-9]{16}|-> +[\d.]+:\d+ .*Masq/;

describe('dumps as people paste them', () => {
  for (const { file, findings, refusal } of diagnoses) {
    it(file, async () => {
      const said: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => said.push(diagnostic);
      const dump = await readNodeDump(
        [join(folder, file)],
        { family: undefined, isCompared: false },
        messagesTo(report),
      );
      if (refusal !== undefined) {
        assert.ok(said[0]?.message.includes(refusal), said[0]?.message ?? 'it is read');
        assert.ok(said[0]?.hint);
        return;
      }
      assert.ok(dump, said[0]?.message);
      assert.deepEqual(
        dump.unread.filter(({ text }) => ruleLike.test(text)),
        [],
      );
      const found = diagnoseDump(dump).findings;
      const ids = new Set<string>(found.map(({ code }) => code));
      for (const id of findings) assert.ok(ids.has(id), `${id} is missing: found ${[...ids]}`);
      const unexpected = found.filter(
        ({ code, severity }) => severity !== 'info' && !findings.includes(code) && !aboutTheDump.has(code),
      );
      assert.deepEqual(
        unexpected.map(({ code, what }) => `${code} ${what}`),
        [],
      );
    });
  }

  it('no share of a Service goes to its own address, but where rules of a whole table let it by', async () => {
    const bypassed: string[] = [];
    let count = 0;
    for (const { file, refusal } of diagnoses) {
      if (refusal !== undefined) continue;
      const dump = await readNodeDump(
        [join(folder, file)],
        { family: undefined, isCompared: false },
        messagesTo(() => {}),
      );
      assert.ok(dump);
      const tracer = createNodeTracer(dump);
      for (const family of ['ipv4', 'ipv6'] as const) {
        const balanced = ruleEntrances(tracer.tracerOf(family).input).filter(
          ({ chain, address, port }) => isBalancingChain(chain) && address !== undefined && port !== undefined,
        );
        for (const { address, port, protocol } of balanced.slice(0, 8)) {
          const to = endText(address, port);
          const result = tracer.trace({ from: 'outside', to, proto: protocolName(protocol ?? 6) });
          assert.ok(!('kind' in result), file);
          count += 1;
          if (splitShares(result).some((share) => share.to === to)) bypassed.push(file);
        }
      }
    }
    assert.ok(count > 100, `${count} Services`);
    // A ladder with a hole, a jump that is missing, packets that nobody tracks, a Service that lost its endpoints.
    const faults = ['kube-proxy-v9-log.txt', 'ladder-hole.txt', 'no-prerouting-jump.txt', 'raw-notrack.txt'];
    assert.deepEqual([...new Set(bypassed)], faults);
  });

  it('has a diagnosis for each file', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    assert.deepEqual(diagnoses.map(({ file }) => file).sort(), files.sort());
  });
});
