import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWalkNode } from '../../../src/cli/dumps/readWalkNode.ts';
import { collectMessages } from '../../../src/cli/write/messages.ts';
import { createNodeTracer } from '../../../src/trace/nodeTracer.ts';
import type { TraceResult } from '../../../src/trace/traceResult.ts';
import { type Why, whyCauses } from '../../../src/why/whyCauses.ts';
import { targetFlags } from '../targetFlags.ts';
import type { HealthyCase } from './healthyCase.ts';

/** How much of a node somebody shows. */
export interface Shown {
  /** Files of the dump that are left out. */
  readonly without?: RegExp;
  readonly hasManifests: boolean;
}

/** A connection, and what came of it when it was real: `shop/web-1 sees 10.244.1.12`, `refused`, `timeout`. */
export interface RecordedPacket {
  /** `10.244.1.12 10.96.1.10:80/tcp`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly proto: string;
  readonly isAnswered: boolean;
  /** Names of who answered. */
  readonly by: readonly string[];
}

export interface HealthyAnswer {
  readonly why: Why;
  readonly result: TraceResult;
}

/** The packets of a case, as they went over the wire. */
export function recordedPackets({ folder }: Pick<HealthyCase, 'folder'>): readonly RecordedPacket[] {
  const lines = readFileSync(join(folder, 'packets.txt'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [, from = '', to = '', proto = '', outcome = ''] = /^(\S+) (\S+)\/(\w+) (.*)$/.exec(line) ?? [];
    const by = outcome.split(', ').flatMap((one) => /^(\S+) sees /.exec(one)?.[1] ?? []);
    return {
      name: `${from} ${to}/${proto}`,
      from: isOfNode(from) ? 'node' : from,
      to,
      proto,
      isAnswered: by.length > 0,
      by,
    };
  });
}

/** The files of the dump that are shown. */
export function shownFiles({ folder }: Pick<HealthyCase, 'folder'>, { without }: Shown): readonly string[] {
  return ['dumps', 'facts']
    .flatMap((part) => readdirSync(join(folder, 'node', part)).map((file) => join(folder, 'node', part, file)))
    .filter((file) => without?.test(file) !== true);
}

/** Answers as `why` does, of a node that is read once. */
export async function askHealthy(
  healthy: Pick<HealthyCase, 'folder' | 'args'>,
  shown: Shown,
  files: readonly string[] = shownFiles(healthy, shown),
): Promise<(packet: RecordedPacket) => HealthyAnswer | string> {
  const messages = collectMessages({ quiet: true } as never);
  const manifests = { filename: [join(healthy.folder, 'manifests.yaml')], node: 'n1', ...targetFlags(healthy.args) };
  const read = await readWalkNode(files, (shown.hasManifests ? manifests : {}) as never, messages);
  if (read === undefined)
    throw new Error(
      messages
        .diagnostics()
        .map(({ message }) => message)
        .join('\n'),
    );
  const tracer = createNodeTracer(read.node, read.objects);
  return ({ from, to, proto }) => {
    const result = tracer.trace({ from, to, proto });
    if ('kind' in result) return result.message;
    const known = tracer.known({ from, to, proto }, result);
    return { why: whyCauses(result, tracer.tracerOf(result.packet.family).input, known), result };
  };
}

function isOfNode(source: string): boolean {
  return source === '192.168.10.1' || source === '2001:db8:10::1';
}
