import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { labEnvironment } from '../../../src/lab/labEnvironment.ts';
import type { Namespace } from '../../../src/lab/openNamespace.ts';
import { root } from '../../support/compileCase.ts';

/** What the kernel says of a packet at a rule, at the end of a chain, or at a policy; words as traceReader.pl prints them. */
export interface TraceStep {
  readonly backend: 'nft' | 'legacy';
  /** Of all steps of one packet in a base chain. */
  readonly id: string;
  readonly family: string;
  readonly table: string;
  readonly chain: string;
  readonly type: string;
  /** Of nft, the rule's handle; of iptables-legacy its number. */
  readonly rule: string;
  readonly verdict: string;
  readonly target: string;
  readonly header: TraceHeader | undefined;
}

export interface TraceHeader {
  readonly protocol: number;
  readonly source: string;
  readonly sourcePort: string;
  readonly destination: string;
  readonly destinationPort: string;
  /** Of ICMP, its type. */
  readonly flags: string;
  readonly sequence: number;
  readonly acknowledged: number;
  readonly length: number;
}

export interface TraceReader {
  /** Everything since the last time. */
  readonly read: () => Promise<readonly TraceStep[]>;
  readonly close: () => void;
}

/** Listens to the kernel's own trace in a namespace. */
export async function openTraceReader(namespace: Namespace): Promise<TraceReader> {
  const script = join(root, 'test/kernel/walk/traceReader.pl');
  const child = spawn('nsenter', [`--net=/proc/${namespace.pid}/ns/net`, '--', 'perl', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: labEnvironment(),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the reader of the trace has ended');
    return value as string;
  };
  if ((await next()) !== 'ready') throw new Error('the reader of the trace did not start');
  return {
    read: async () => {
      child.stdin.write('\n');
      const steps: TraceStep[] = [];
      for (let line = await next(); line !== 'end'; line = await next()) {
        if (line === 'lost') throw new Error('the kernel lost a part of its trace');
        steps.push(stepOf(line));
      }
      return steps;
    },
    close: () => child.stdin.end(),
  };
}

function stepOf(line: string): TraceStep {
  const [kind, id = '', family = '', table = '', chain = '', type = '', rule = '', verdict = '', target = '', ...rest] =
    line.split(' ');
  const [protocol, source = '', sourcePort = '', destination = '', destinationPort = '', flags = '', ...numbers] = rest;
  const [sequence = 0, acknowledged = 0, length = 0] = numbers.map(Number);
  const header = { source, sourcePort, destination, destinationPort, flags, sequence, acknowledged, length };
  return {
    backend: kind === 'nft' ? 'nft' : 'legacy',
    id,
    family,
    table,
    chain,
    type,
    rule,
    verdict,
    target,
    header: protocol === '-' ? undefined : { protocol: Number(protocol), ...header },
  };
}
