import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ConntrackFlow } from '../../../src/netfilter/conntrack/flow.ts';
import { parseConntrack } from '../../../src/netfilter/conntrack/parseConntrack.ts';
import { root } from '../../support/compileCase.ts';

const captured = (name: string) => readFileSync(join(root, 'fixtures/diff/facts', name), 'utf8');

/** What is read of a text, and `line:column: word: message` of each problem. */
function read(text: string): { readonly flows: readonly ConntrackFlow[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const flows = parseConntrack(text, ({ line, column, word, message }) =>
    problems.push(`${line}:${column}: ${word}: ${message}`),
  );
  return { flows, problems };
}

const side = (source: string, sourcePort: number, destination: string, destinationPort: number) => ({
  source,
  sourcePort,
  destination,
  destinationPort,
});
const flow = (
  parts: Partial<ConntrackFlow> & Pick<ConntrackFlow, 'protocol' | 'original' | 'reply'>,
): ConntrackFlow => ({
  kind: 'flow',
  family: 'ipv4',
  isUnreplied: false,
  isInZone: false,
  line: 1,
  ...parts,
});
const bare = ({ flows }: { readonly flows: readonly ConntrackFlow[] }) =>
  flows.map((one) => JSON.stringify({ ...one, line: 0 })).sort();

describe('what conntrack and the kernel show', () => {
  for (const name of ['conntrack-L.txt', 'conntrack-L-extended.txt', 'proc-net-nf_conntrack.txt']) {
    it(`is read in whole and alike: ${name}`, () => {
      const { flows, problems } = read(captured(name));
      assert.deepEqual(problems, []);
      assert.equal(flows.length, 10);
      assert.deepEqual(bare({ flows }), bare(read(captured('conntrack-L.txt'))));
    });
  }

  it('is read with numbers and times behind each connection, and of a node in IPVS mode', () => {
    assert.deepEqual(read(captured('conntrack-L-id-ipv6.txt')), {
      problems: [],
      flows: [
        flow({
          family: 'ipv6',
          protocol: 17,
          original: side('fd00::5', 40000, 'fd00:10:96::a', 53),
          reply: side('fd00:10:244::9', 53, 'fd00::5', 40000),
          isUnreplied: true,
        }),
      ],
    });
    const ipvs = read(captured('conntrack-L-ipvs.txt'));
    assert.deepEqual(ipvs.problems, []);
    assert.equal(ipvs.flows.length, 40);
  });

  const ends = 'src=10.0.0.1 dst=10.0.0.2 sport=5 dport=6';
  const answers = 'src=10.0.0.2 dst=10.0.0.1 sport=6 dport=5';
  const plain = { original: side('10.0.0.1', 5, '10.0.0.2', 6), reply: side('10.0.0.2', 6, '10.0.0.1', 5) };
  const rows: readonly (readonly [
    what: string,
    line: string,
    expected: Partial<ConntrackFlow> & { protocol: number },
  ])[] = [
    [
      'counters',
      `udp 17 29 ${ends} packets=3 bytes=180 [UNREPLIED] ${answers} packets=0 bytes=0 mark=0 use=1`,
      { protocol: 17, isUnreplied: true },
    ],
    [
      'no timeout',
      `udp 17 ${ends} ${answers} [OFFLOAD] mark=0 secctx=system_u:object_r:unlabeled_t:s0 use=2`,
      { protocol: 17 },
    ],
    ['offload to hardware', `tcp 6 ${ends} ${answers} [HW_OFFLOAD] mark=0 use=2`, { protocol: 6 }],
    [
      'a state',
      `dccp 33 9 REQUEST ${ends} [UNREPLIED] ${answers} use=1`,
      { protocol: 33, isUnreplied: true, state: 'REQUEST' },
    ],
    ['a zone', `udp 17 9 ${ends} ${answers} mark=0 zone=7 use=1`, { protocol: 17, isInZone: true }],
    ['the zone 0', `udp 17 9 ${ends} ${answers} mark=0 zone=0 use=1`, { protocol: 17 }],
    ['a zone of a direction', `udp 17 9 ${ends} zone-orig=1 ${answers} mark=0 use=1`, { protocol: 17, isInZone: true }],
    [
      'times and labels',
      `udp 17 9 ${ends} ${answers} [start=Sat Nov 21 18:55:05 2026] [stop=x] labels=a,b helper=ftp`,
      { protocol: 17 },
    ],
    ['Windows line ends', `udp 17 9 ${ends} ${answers} use=1\r`, { protocol: 17 }],
  ];
  for (const [what, line, expected] of rows) {
    it(`reads ${what}`, () => assert.deepEqual(read(line), { problems: [], flows: [flow({ ...plain, ...expected })] }));
  }

  it('passes over what is typed and what conntrack says at last, and reports all else at its place', () => {
    const line = `udp 17 9 ${ends} ${answers} use=1`;
    const text = [
      '[root@node-1 ~]# conntrack -L -p udp',
      'root@node-1:~$ sudo cat /proc/net/nf_conntrack',
      'sudo conntrack -L',
      '# of node-1',
      '',
      line,
      'conntrack v1.4.7 (conntrack-tools): 1 flow entries have been shown.',
      'root@node-1:~#',
      "conntrack v1.4.7 (conntrack-tools): Operation failed: such conntrack doesn't exist",
      'root@node-1:~# rm -rf /',
      '  what is this',
      'garbage>',
      '*nat',
    ].join('\n');
    const { flows, problems } = read(text);
    assert.deepEqual(
      flows.map((one) => one.line),
      [6],
    );
    assert.deepEqual(problems, [
      '9:1: conntrack: not a connection',
      '10:1: root@node-1:~#: not a connection',
      '11:3: what: not a connection',
      '12:1: garbage>: not a connection',
      '13:1: *nat: not a connection',
    ]);
  });

  const refused: readonly (readonly [line: string, problem: string])[] = [
    [`udp 17 9 ${ends}`, '1:1: udp: not both directions are shown'],
    [`udp 17 9 ${ends} ${answers} ${answers}`, '1:52: src=10.0.0.2: a connection has two directions'],
    [`udp 17 9 src=10.0.0.300 dst=10.0.0.2 sport=5 dport=6 ${answers}`, '1:10: src=10.0.0.300: not an address'],
    [`udp 17 9 src=10.0.0.1 sport=5 dport=6 ${answers}`, '1:52: dst=: not an address'],
    [`udp 17 9 src=10.0.0.1 dst=10.0.0.2 sport=5 dport=65536 ${answers}`, '1:44: dport=65536: not a port'],
    [`udp 17 9 src=10.0.0.1 dst=10.0.0.2 ${answers}`, '1:23: dst=10.0.0.2: no ports'],
    [`udp 17 9 src=10.0.0.1 dst=fd00::2 sport=5 dport=6 ${answers}`, '1:23: dst=fd00::2: addresses of both families'],
    [`udp 256 9 ${ends} ${answers}`, '1:1: udp: not a connection'],
    [`[NEW] udp 17 30 ${ends} [UNREPLIED] ${answers}`, '1:1: [NEW]: not a connection'],
    [`-A -t 99 -u UNSET -s 10.0.0.1 -d 10.0.0.2 -p udp`, '1:1: -A: not a connection'],
  ];
  for (const [line, problem] of refused) {
    it(`refuses ${line}`, () => assert.deepEqual(read(line), { flows: [], problems: [problem] }));
  }

  it('takes time by the length of a text only', () => {
    const start = process.cpuUsage();
    for (const piece of ['src=', ' src=1 dst=', '[', ' ', '>', 'root@x# ', '\u0000', 'udp 17 ', 'a:]#$%> ']) {
      read(piece.repeat(300_000));
    }
    assert.ok(process.cpuUsage(start).user < 5e6);
  });
});
