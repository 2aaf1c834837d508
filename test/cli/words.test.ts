import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runMany } from '../support/runMany.ts';

/** Every spelling of a party, a port and a protocol, in every command that takes one: all spellings have one answer. */

const folder = join(root, 'fixtures/words');
const node = '-f shop.yaml --node n1 -q';
const policy = '-f shop.yaml -q';

const clientSpellings = [
  'shop/client',
  'pod/shop/client',
  'po/shop/client',
  'pods/shop/client',
  'pod:shop/client',
  'client -n shop',
  'pod/client -n shop',
];
const serviceSpellings = [
  'shop/web',
  'svc/shop/web',
  'service/shop/web',
  'services/shop/web',
  'svc:shop/web',
  'web -n shop',
  'svc/web -n shop',
  'web.shop',
  'web.shop.svc',
  'web.shop.svc.cluster.local',
];
/** As the sender, a Pod of the same namespace, calls it. */
const besideSpellings = [...serviceSpellings, 'web'];
const podSpellings = ['shop/web-0', 'pod/shop/web-0', 'po/shop/web-0', 'web-0 -n shop', 'pod/web-0 -n shop'];
const nodeSpellings = ['node', 'node/n1', 'nodes/n1', 'no/n1', 'node:n1'];
const outsideSpellings = ['outside', 'external', 'internet'];
const tcpPorts = [
  ':80',
  ':http',
  ':80/tcp',
  ':tcp/80',
  ' --port 80',
  ' --port http',
  ' --port 80/tcp',
  ' --port tcp/80',
];
const udpPorts = [
  ':53/udp',
  ':udp/53',
  ':53/UDP',
  ':53 --proto udp',
  ':53 --protocol udp',
  ':53 --proto UDP',
  ' --port 53/udp',
  ' --port udp/53',
  ' --port 53/UDP',
  ' --port 53 --proto udp',
  ' --port dns --protocol udp',
  ':53/udp --port 53',
];

/** A command with a gap, and what may stand there. `@` is the party, `%` its port, `&` the further options. */
type Row = readonly [what: string, command: string, spellings: readonly string[], status: number, said: RegExp];

const fill = (command: string, spelling: string): readonly string[] => {
  const [first = '', ...options] = spelling.split(/ (?=-)/);
  const whole = command.includes('&') ? command : `${command} &`;
  return whole.replace('@', first).replace('&', options.join(' ')).trim().split(/ +/);
};

const rows: readonly Row[] = [
  ...(['trace', 'why'] as const).flatMap((name): readonly Row[] => [
    [`${name} --from a Pod`, `${name} ${node} --from @ --to 10.96.0.50:80 &`, clientSpellings, 0, /./],
    [`${name} --from a node`, `${name} ${node} --from @ --to 10.96.0.50:80 &`, nodeSpellings, 0, /./],
    [`${name} --from outside`, `${name} ${node} --from @ --to 10.96.0.50:80 &`, outsideSpellings, 1, /./],
    [`${name} --to a Service`, `${name} ${node} --from shop/client --to @:80 &`, besideSpellings, 0, /./],
    [`${name} --to a Pod`, `${name} ${node} --from shop/client --to @:8080 &`, podSpellings, 0, /./],
    [`${name} --to a port of TCP`, `${name} ${node} --from shop/client --to svc/shop/web@ &`, tcpPorts, 0, /./],
    [`${name} --to a port of UDP`, `${name} ${node} --from shop/client --to svc/shop/web@ &`, udpPorts, 0, /./],
    [
      `${name} --to a URL`,
      `${name} ${node} --from @`,
      ['shop/client --to http://web', 'pod/shop/client --to http://web:80/cart', 'client --to http://web -n shop'],
      0,
      /web\S* is the name of Service shop\/web/,
    ],
    [
      `${name} without --to`,
      `${name} ${node} --from shop/client @:80 &`,
      ['svc/shop/web', 'svc:shop/web', '--to shop/web'],
      0,
      /./,
    ],
    [
      `${name}, both in order`,
      `${name} @ ${node}`,
      [
        'pod/shop/client svc/shop/web:80',
        '--from shop/client --to shop/web:80',
        'shop/client svc/shop/web:80',
        'shop/client shop/web:80',
        'shop/client to shop/web:80',
        'shop/client web:80',
        'shop/client web.shop:80/tcp',
        'shop/client web --port 80',
        'client web:80 -n shop',
      ],
      0,
      /./,
    ],
    [
      `${name} of a ping`,
      `${name} ${node} --from shop/client --to shop/web@ &`,
      [' --proto icmp', ' --port icmp', ' --protocol icmp'],
      1,
      /ping/,
    ],
  ]),
  [
    'policy test --from a Pod',
    `policy test ${policy} --from @ --to shop/web-0 --port 8080 &`,
    clientSpellings,
    0,
    /^allowed/,
  ],
  [
    'policy test --from a node',
    `policy test ${policy} --from @ --to shop/web-0 --port 8080 &`,
    nodeSpellings,
    0,
    /^allowed/,
  ],
  [
    'policy test --from outside',
    `policy test ${policy} --from @ --to shop/web-0 --port 8080 &`,
    outsideSpellings,
    1,
    /^denied/,
  ],
  [
    'policy test --to a Service',
    `policy test ${policy} --from shop/client --to @ --port 80 &`,
    besideSpellings,
    0,
    /^allowed/,
  ],
  [
    'policy test --to a Pod',
    `policy test ${policy} --from shop/client --to @ --port 8080 &`,
    podSpellings,
    0,
    /^allowed/,
  ],
  [
    'policy test --to a port of TCP',
    `policy test ${policy} --from shop/client --to svc/shop/web@ &`,
    tcpPorts,
    0,
    /^allowed/,
  ],
  [
    'policy test --to a port of UDP',
    `policy test ${policy} --from shop/client --to svc/shop/web@ &`,
    udpPorts,
    0,
    /^allowed/,
  ],
  [
    'policy matrix',
    `policy matrix ${policy} @`,
    ['--port 53/udp', '--port udp/53', '--port 53 --proto udp', '--port 53 --protocol udp'],
    0,
    /53\/udp/,
  ],
  ['split of a Service', `split @:80 ${node} --no-policies &`, serviceSpellings, 0, /10\.244\.1\.10:8080/],
  ['split of a port of UDP', `split svc/shop/web@ ${node} --no-policies &`, udpPorts, 0, /10\.244\.1\.10:53/],
  ['split --from', `split shop/web:80 ${node} --no-policies --from @ &`, clientSpellings, 0, /10\.244\.1\.10:8080/],
  ['whois of a Service', `whois @ ${node} &`, serviceSpellings, 0, /shop\/web/],
  ['whois of the Node', `whois @ ${node} &`, nodeSpellings, 0, /is an address of this node/],
  ['whois of a Pod', `whois @ ${node} &`, [...podSpellings, 'pod:shop/web-0'], 0, /is the Pod shop\/web-0/],
  [
    'whois of a port',
    `whois 10.96.0.50@ ${node} &`,
    [':53', ':53/udp', ':udp/53', ' --port 53', ' --port 53/udp'],
    0,
    /shop\/web/,
  ],
  [
    'reach of a Service',
    `reach @ ${node} &`,
    serviceSpellings.slice(1, 5).concat('web.shop.svc', 'svc/web -n shop'),
    0,
    /10\.96\.0\.50:80/,
  ],
  ['reach of a port', `reach svc/shop/web@ ${node} &`, [':http', ' --port http', ':http/tcp'], 0, /10\.96\.0\.50:80/],
  ['check-service', `check-service @ ${policy} &`, serviceSpellings, 0, /shop\/web/],
  [
    'check-service of a port',
    `check-service shop/web@ ${policy} &`,
    [':http', ' --port http', ':http/tcp', ' --port http/tcp'],
    0,
    /shop\/web/,
  ],
  ['compile --service', `compile ${node} --service @ &`, serviceSpellings, 0, /KUBE-SVC-/],
  ['explain --service', `explain service -f shop.yaml -q --service @ &`, serviceSpellings, 0, /shop\/web: ClusterIP/],
  [
    'emit dns --from',
    `emit dns -f shop.yaml -q --resolve web --from @`,
    clientSpellings.slice(0, 5),
    0,
    /10\.96\.0\.50/,
  ],
];

describe('one thing has one answer, however it is spelled', () => {
  const asked = rows.flatMap(([what, command, spellings, status, said]) =>
    spellings.map((spelling) => ({ what, words: fill(command, spelling), spelling, status, said })),
  );
  const ended = runMany(
    asked.map(({ words }) => words),
    folder,
  );
  const answers = new Map<string, string>();
  for (const [at, { what, spelling, status, said }] of asked.entries()) {
    it(`${what}: ${spelling}`, () => {
      const { status: code, stdout, stderr } = ended[at] as (typeof ended)[number];
      assert.equal(code, status, stdout + stderr);
      assert.match(stdout, said);
      const first = answers.get(what) ?? stdout;
      answers.set(what, first);
      assert.equal(stdout, first);
    });
  }
});

describe('what contradicts itself is refused', () => {
  const wrong: readonly (readonly [command: string, said: RegExp])[] = [
    [`trace ${node} --from shop/client --to shop/web:80 --port 81`, /the receiver has port 80, and --port says 81/],
    [`why ${node} --from shop/client --to shop/web:53/udp --proto tcp`, /one protocol at a time/],
    [`policy test ${policy} --from shop/client --to shop/web --proto udp`, /which port\? --port 53\/udp/],
    [`policy test ${policy} --from n1 --to shop/web --port 80`, /did you mean node\/n1\?/],
    [`trace ${node} --port 80`, /the port of whom/],
    [
      `why ${node} --from node --to http://web`,
      /only Pods of namespace shop know Service shop\/web as web: .*, or http:\/\/web\.shop$/m,
    ],
    [`why ${node} --from node --to web:80`, /did you mean shop\/web:80\?/],
    [`why ${node} --from shop/client --to svc/web:80`, /did you mean svc\/shop\/web:80\?/],
    [`why ${node} shop/client svc/web:80`, /did you mean svc\/shop\/web:80\?/],
    [`why shop/client shop.txt`, /cannot read shop\.txt: no such file/],
    [`why shop/client web:80 shop/more`, /cannot read shop\/more: no such file/],
    ['compile -f shop.yaml -n shop', /read with --live only|--namespace/],
  ];
  const ended = runMany(
    wrong.map(([command]) => command.split(' ')),
    folder,
  );
  for (const [at, [command, said]] of wrong.entries()) {
    it(command, () => {
      const { status, stdout, stderr } = ended[at] as (typeof ended)[number];
      assert.equal(status, 2, stdout + stderr);
      assert.match(stderr, said);
    });
  }
});

describe('a name and dumps stand in any order', () => {
  const dump = join(root, 'fixtures/posts-rows/n1.save');
  for (const command of ['split 10.105.211.16:8000', 'whois 10.105.211.16:8000']) {
    const [name = '', word = ''] = command.split(' ');
    it(command, () => {
      const [before, behind] = runMany(
        [
          [name, word, dump],
          [name, dump, word],
        ],
        folder,
      );
      assert.equal(before?.status, 0, before?.stderr);
      assert.deepEqual(behind, before);
    });
  }
});

it('what iptables-restore reads has no jumps from built-in chains, and that is said', () => {
  const [restore, nftables, script] = runMany(
    ['-o restore', '-o restore --mode nftables', '-o script'].map((options) =>
      `compile -f shop.yaml --node n1 ${options}`.split(' '),
    ),
    folder,
  );
  assert.match(restore?.stderr ?? '', /restore-without-jumps/);
  assert.doesNotMatch(restore?.stdout ?? '', /^-A PREROUTING/m);
  assert.doesNotMatch(`${nftables?.stderr}${script?.stderr}`, /restore-without-jumps/);
});
