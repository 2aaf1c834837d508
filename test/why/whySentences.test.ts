import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { BesideRules } from '../../src/trace/known/besideRules.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { root } from '../support/compileCase.ts';

/** Causes that one thing decides, in the words in which they are told. */

interface Row {
  readonly what: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly in?: string;
  /** Files that nobody gave. */
  readonly without?: RegExp;
  /** What is found in a file is replaced. */
  readonly edit?: readonly [found: RegExp, by: string];
  readonly known?: BesideRules;
  readonly says: RegExp;
}

const ipvs = { name: 'ipvs-nodeport', from: '192.168.10.50', to: '192.168.10.1:30080' } as const;

const rows: readonly Row[] = [
  {
    what: 'a node port without a virtual server',
    ...ipvs,
    edit: [/-[Aa] -t 192\.168\.10\.1:30080 .*\n/g, ''],
    says: /^No Service has the node port 30080\/tcp on this node\.$/,
  },
  {
    what: 'a map nobody asks',
    name: 'clusterip-nftmode',
    from: '10.244.1.200',
    to: '10.96.44.1:9100',
    edit: [/\t\tip daddr \. meta l4proto \. th dport vmap @service-ips\n/g, ''],
    says: /^The map service-ips has 10\.96\.44\.1:9100\/tcp, but no rule looks into it\.$/,
  },
  {
    what: 'policies of other kinds',
    name: 'nodeport-legacy',
    from: '10.244.1.200',
    to: '10.96.100.1:80',
    known: { otherPolicies: [{ kind: 'CiliumNetworkPolicy', server: 'Cilium', name: 'x' }] } as unknown as BesideRules,
    says: /^CiliumNetworkPolicy x decides about this packet too, and k8snet does not read it/,
  },
  {
    what: 'an address that may be the node’s',
    name: 'nodeport-legacy',
    from: '192.168.10.50',
    to: '192.168.10.1:30999',
    without: /addresses|facts|routes/,
    says: /^No rule of this node has the address 192\.168\.10\.1, .*Which of them is unknown\.$/,
  },
];

describe('why', () => {
  for (const { what, name, from, to, without, edit, known, says, ...input } of rows) {
    it(what, () => {
      const folder = join(root, 'fixtures/trace', name);
      const files = readdirSync(folder)
        .filter((file) => !without?.test(file))
        .map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
      const edited = edit ? files.map((file) => ({ ...file, text: file.text.replace(...edit) })) : files;
      if (edit) assert.notDeepEqual(edited, files);
      const tracer = createNodeTracer(readDumps(edited, { name }));
      const result = tracer.trace({ from, to, ...input });
      if ('kind' in result) assert.fail(result.message);
      const { causes } = whyCauses(result, tracer.tracerOf(result.packet.family).input, known);
      assert.match(causes[0]?.what ?? '', says);
    });
  }
});
