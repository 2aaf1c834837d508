import assert from 'node:assert/strict';
import { readDumps } from '../../src/dump/readDumps.ts';
import { showNode } from '../../src/lab/dumpNode.ts';
import { machine } from '../../src/lab/openLab.ts';
import { runIn } from '../../src/lab/runIn.ts';
import {
  truthCase,
  truthCases,
  truthEnd,
  truthExpected,
  writeTruthDump,
  writeTruthExpected,
} from '../support/walkTruth.ts';
import { kernelTests } from './requirements.ts';
import { beginTrace, type Ground, type SentProbe, withPods } from './walk/compareRules.ts';
import type { KernelWays } from './walk/kernelWays.ts';
import { loadParts } from './walk/loadParts.ts';
import { openTraceReader, type TraceReader } from './walk/openTraceReader.ts';
import { openTruthLab, truthPods, truthSender } from './walkTruthLab.ts';

/**
 * Rule sets on which a walk and the kernel did not agree once: the kernel still does what is written down of it. That the
 * walk does the same is asked without a kernel, in test/walk. With UPDATE_GOLDEN=1 what the kernel does is written down.
 */
const updates = process.env.UPDATE_GOLDEN !== undefined;
const kernelTest = kernelTests(['iptables-nft', 'iptables-legacy', 'nft', 'ipset']);

for (const name of truthCases) {
  kernelTest(`the kernel does what is written down of it: ${name}`, async () => {
    // One each: tables of iptables-legacy stay in a namespace that once had them.
    const lab = await openTruthLab();
    let reader: TraceReader | undefined;
    try {
      const node = machine(lab, 'n1');
      reader = await openTraceReader(node);
      const ground: Ground = { lab, node, reader, pods: truthPods };
      const sourcePorts = { next: 21_000 };
      if (updates) await record(ground, name, sourcePorts);
      const known = truthExpected(name)?.kernel ?? [];
      const isKnown = (seen: KernelWays) => known.some((ways) => JSON.stringify(ways) === JSON.stringify(seen));
      let seen = await sendOnce(ground, name, sourcePorts);
      // A limit of one packet an hour may be spent by a packet that the machine sends by itself.
      for (let at = 1; at < mostTries && !isKnown(seen); at += 1) seen = await sendOnce(ground, name, sourcePorts);
      assert.ok(isKnown(seen), JSON.stringify(seen, undefined, 2));
    } finally {
      reader?.close();
      await lab.close();
    }
  });
}

const mostTries = 3;

/** Often enough that each way which chance leaves comes by. */
const tries = 12;

async function record(ground: Ground, name: string, sourcePorts: { next: number }): Promise<void> {
  const seen = new Map<string, KernelWays>();
  for (let at = 0; at < tries; at += 1) {
    const ways = await sendOnce(ground, name, sourcePorts);
    seen.set(JSON.stringify(ways), ways);
  }
  const { walk = [], note } = truthExpected(name) ?? {};
  const kernel = [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ways]) => ways);
  writeTruthExpected(name, { kernel, walk, ...(note !== undefined && { note }) });
  writeTruthDump(name, await shown);
}

let shown: ReturnType<typeof showNode>;

/** Loaded anew each time: limits and turns begin again. */
async function sendOnce(ground: Ground, name: string, sourcePorts: { next: number }): Promise<KernelWays> {
  const { parts, probe, sysctls } = truthCase(name);
  const { node } = ground;
  const refused = await loadParts(node, parts);
  if (refused !== undefined) throw new Error(`${name}: ${refused}`);
  await runIn(node, ['sysctl', '-qw', ...Object.entries({ ...usual, ...sysctls }).map((each) => each.join('='))]);
  shown = showNode(node);
  const dump = withPods(readDumps(await shown, { name: 'n1' }), ground.pods);
  const send = await beginTrace(ground, dump);
  const from = truthEnd(probe.from);
  const to = truthEnd(probe.to);
  const sent: SentProbe = {
    machine: truthSender(from.address),
    from: from.address,
    to: to.address,
    port: to.port,
    protocol: probe.proto,
  };
  const sourcePort = sourcePorts.next;
  sourcePorts.next += 1;
  const { first, later, reply, answer } = await send(sent, sourcePort);
  return {
    first,
    ...(later && { later }),
    ...(reply && { reply }),
    ...(answer !== undefined && { answer: answer.replace(`:${sourcePort} >`, `:${from.port} >`) }),
  } as KernelWays;
}

/** What cases set, as it is otherwise. */
const usual = { 'net.ipv4.conf.all.route_localnet': 0, 'net.ipv4.conf.all.src_valid_mark': 0 };
