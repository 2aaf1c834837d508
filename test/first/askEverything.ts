import { wayDifference } from '../../src/behaviour/outcome/wayDifference.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import type { TraceObjects } from '../../src/trace/known/traceObjects.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { protocolName } from '../../src/trace/question/protocolName.ts';
import { endText } from '../../src/walk/values/text.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';

/** What manifests make, and what a comparison says of the dump. */
export interface Expected {
  readonly rules: NodeRules;
  readonly objects: TraceObjects;
  readonly findings: readonly Finding[];
}

/**
 * What `why -f` says first of packets to all addresses of Services, by sender and destination: why one fails, else what the
 * node does otherwise with it than the manifests would. Packets that fare as they should are left out. Each is asked about
 * when its turn comes.
 */
export function* askEverything(
  dump: NodeRules,
  { rules, objects, findings }: Expected,
): Generator<readonly [packet: string, sentence: string]> {
  const tracer = createNodeTracer(dump, objects);
  const right = createNodeTracer({ ...rules, network: dump.network }, objects);
  const pods = objects.network.pods.filter(({ interface: own }) => own !== undefined);
  const senders = [...pods.slice(0, 1).map(({ name }) => name), 'node', 'outside'];
  for (const { address, port, protocol } of (objects.destinations ?? []).slice(0, mostDestinations)) {
    const to = address === undefined ? `node:${port}` : endText(address, port);
    for (const from of senders) {
      const question = { from, to, proto: protocolName(protocol) };
      const result = tracer.trace(question);
      if ('kind' in result) continue;
      const { family } = result.packet;
      const name = `${from} ${to}/${question.proto}`;
      const own = tracer.tracerOf(family);
      const { verdict, causes } = whyCauses(result, own.input, tracer.known(question, result));
      if (verdict !== 'arrives') yield [name, `${verdict}: ${causes[0]?.what}`];
      else {
        const differs = wayDifference(result, right.tracerOf(family), own);
        const first = differs && findings.find(differs.isOnWay);
        if (first !== undefined) yield [name, `differs: ${first.code} ${first.what}`];
      }
    }
  }
}

const mostDestinations = 24;
