import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { walkProbe, withPods } from '../kernel/walk/compareRules.ts';
import { wayProblems } from '../kernel/walk/wayProblems.ts';
import { truthPods } from '../kernel/walkTruthLab.ts';
import { truthCase, truthCases, truthDump, truthEnd, truthExpected, writeTruthExpected } from '../support/walkTruth.ts';

/** Rule sets on which a walk and the kernel did not agree once: it goes every way that the kernel was seen to take. */
for (const name of truthCases) {
  test(`the walk goes as the kernel: ${name}`, () => {
    const { probe } = truthCase(name);
    const from = truthEnd(probe.from);
    const to = truthEnd(probe.to);
    const tracer = createNodeTracer(withPods(readDumps(truthDump(name), { name: 'n1' }), truthPods));
    const sent = { machine: '', from: from.address, to: to.address, port: to.port, protocol: probe.proto };
    const { in: device, physin } = probe;
    const walk = walkProbe(
      tracer,
      { ...sent, ...(device !== undefined && { in: device }), ...(physin !== undefined && { physin }) },
      from.port,
    );
    if (typeof walk === 'string') throw new Error(walk);
    const expected = truthExpected(name) ?? { kernel: [], walk: [] };
    if (process.env.UPDATE_GOLDEN !== undefined) writeTruthExpected(name, { ...expected, walk });
    else assert.deepEqual(walk, expected.walk);
    assert.ok(expected.kernel.length > 0, 'what the kernel does is written down');
    assert.deepEqual(
      expected.kernel.flatMap((ways) => wayProblems(walk, ways).problems),
      [],
    );
  });
}
