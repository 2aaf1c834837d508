import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { type WhyCauseCode, whyCauseCodes } from '../../src/why/cause.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** `k8snet why`: for each cause a packet of which it is the answer, and one of which it is not. */

interface Asked {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly proto?: string;
  readonly in?: string;
  readonly physin?: string;
  /** Changes a file of the dump: what is found is replaced. */
  readonly edit?: readonly (readonly [found: string, by: string])[];
  readonly extra?: string;
}

const dropsOneEndpoint = '-A FORWARD -d 10.244.1.100/32 -p tcp -m tcp --dport 8080 -j DROP\nCOMMIT\n# Completed on';
const stale =
  'udp      17 20 src=10.244.1.200 dst=10.96.0.53 sport=40001 dport=53 src=10.244.9.9 dst=10.244.1.200 sport=53 dport=40001 [ASSURED] use=1\n';

const answers: readonly (readonly [cause: WhyCauseCode, asked: Asked])[] = [
  ['not-asked-for', { name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:81' }],
  ['not-asked-for', { name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:80', proto: 'udp' }],
  ['not-asked-for', { name: 'clusterip-nftmode', from: '10.244.1.200', to: '10.96.44.1:81' }],
  ['not-asked-for', { name: 'nodeport-legacy', from: 'outside', to: 'node:30999' }],
  ['no-endpoints', { name: 'no-endpoints-iptnft', from: '10.244.1.200', to: '10.96.150.1:80' }],
  ['no-endpoints', { name: 'etp-local-nftmode', from: '192.168.10.50', to: '192.168.10.1:31012' }],
  ['no-endpoints', { name: 'fault-empty-svc', from: '192.168.10.50', to: '192.168.10.1:30080' }],
  ['no-local-endpoint', { name: 'etp-local-legacy', from: '192.168.10.50', to: '192.168.10.1:31011' }],
  ['no-local-endpoint', { name: 'etp-local-nftmode', from: '192.168.10.50', to: '192.168.10.1:31011' }],
  ['source-not-allowed', { name: 'ranges-iptnft', from: '192.168.10.50', to: '203.0.113.40:443' }],
  ['source-not-allowed', { name: 'ranges-nftmode', from: '192.168.10.50', to: '203.0.113.40:443' }],
  ['network-policy', { name: 'netpol-ipblock-ipset', from: '10.1.0.12', to: '10.1.0.10:80' }],
  ['somebody-in-front', { name: 'foreign-docker-drop', from: '192.168.10.50', to: '192.168.10.1:30080' }],
  [
    'hooks-missing',
    {
      name: 'nodeport-legacy',
      from: '10.244.1.200',
      to: '10.96.100.1:80',
      edit: [['-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES\n', '']],
    },
  ],
  ['routing', { name: 'forward-off', from: '10.244.1.200', to: '10.96.100.1:80' }],
  ['routing', { name: 'route-localnet-off', from: 'node', to: '127.0.0.1:30080' }],
  ['way-back', { name: 'fault-no-postrouting', from: '192.168.10.50', to: '192.168.10.1:30080' }],
  ['way-back', { name: 'post-004-nginx', from: '10.244.1.53', to: '10.105.211.16:8000', in: 'cni0', physin: 'veth0' }],
  [
    'state',
    { name: 'udp-same-port-legacy', from: '10.244.1.200:40001', to: '10.96.0.53:53', proto: 'udp', extra: stale },
  ],
  ['source-not-allowed', { name: 'ipvs-nodeport', from: 'node', to: '127.0.0.1:30080' }],
  [
    'not-shown',
    {
      name: 'nodeport-legacy',
      from: '10.244.1.200',
      to: '10.96.100.1:80',
      edit: [
        [
          '--probability 0.33333333349 -j KUBE-SEP-P2XUF23QGIY4FONR',
          '--probability 0.33333333349 -j KUBE-SEP-AAAAAAAAAAAAAAAA',
        ],
        ['\nCOMMIT', ''],
      ],
    },
  ],
  ['not-the-rules', { name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:80' }],
  [
    'not-the-rules',
    { name: 'udp-same-port-legacy', from: '10.244.1.200:40002', to: '10.96.0.53:53', proto: 'udp', extra: stale },
  ],
  ['not-the-rules', { name: 'ranges-iptnft', from: '203.0.113.100', to: '203.0.113.40:443' }],
  ['not-the-rules', { name: 'netpol-ipblock-ipset', from: '10.1.0.11', to: '10.1.0.13:80' }],
];

/** As near to the cause as can be, and it is none. */
const nearMisses: readonly (readonly [cause: WhyCauseCode, asked: Asked])[] = [
  ['not-asked-for', { name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:80' }],
  ['not-asked-for', { name: 'nodeport-legacy', from: 'outside', to: 'node:30080' }],
  ['not-asked-for', { name: 'no-endpoints-iptnft', from: '10.244.1.200', to: '10.96.150.1:80' }],
  ['no-endpoints', { name: 'no-endpoints-iptnft', from: '10.244.1.200', to: '10.96.150.1:81' }],
  ['no-endpoints', { name: 'etp-local-nftmode', from: '192.168.10.50', to: '192.168.10.1:31011' }],
  ['no-local-endpoint', { name: 'etp-local-legacy', from: '10.244.1.200', to: '192.168.10.1:31011' }],
  ['no-local-endpoint', { name: 'etp-local-legacy', from: 'outside', to: 'node:31012' }],
  ['source-not-allowed', { name: 'ranges-nftmode', from: '203.0.113.100', to: '203.0.113.40:443' }],
  ['source-not-allowed', { name: 'ipvs-nodeport', from: 'node', to: '192.168.10.1:30080' }],
  ['network-policy', { name: 'netpol-ipblock-ipset', from: '10.1.0.11', to: '10.1.0.13:80' }],
  ['somebody-in-front', { name: 'foreign-docker-drop', from: 'node', to: '192.168.10.1:30080' }],
  ['somebody-in-front', { name: 'foreign-firewalld-iptnft', from: '10.244.1.200', to: '10.96.100.1:80' }],
  ['hooks-missing', { name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:80' }],
  [
    'hooks-missing',
    {
      name: 'nodeport-legacy',
      from: 'node',
      to: '10.96.100.1:80',
      edit: [['-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES\n', '']],
    },
  ],
  ['routing', { name: 'forward-off', from: 'node', to: '10.96.100.1:80' }],
  ['routing', { name: 'route-localnet-off', from: 'node', to: '192.168.10.1:30080' }],
  ['way-back', { name: 'fault-no-postrouting', from: '10.244.1.200', to: '192.168.10.1:30080' }],
  [
    'state',
    { name: 'udp-same-port-legacy', from: '10.244.1.200:40002', to: '10.96.0.53:53', proto: 'udp', extra: stale },
  ],
  // A whole table holds no such chain: the jump leads nowhere.
  [
    'not-shown',
    {
      name: 'nodeport-legacy',
      from: '10.244.1.200',
      to: '10.96.100.1:80',
      edit: [
        [
          '--probability 0.33333333349 -j KUBE-SEP-P2XUF23QGIY4FONR',
          '--probability 0.33333333349 -j KUBE-SEP-AAAAAAAAAAAAAAAA',
        ],
      ],
    },
  ],
  ['some-ways-only', { name: 'no-endpoints-iptnft', from: '10.244.1.200', to: '10.96.150.1:80' }],
];

function explained({ name, edit = [], extra, ...question }: Asked) {
  const folder = join(root, 'fixtures/trace', name);
  const files = readdirSync(folder).map((file) => {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const [found, by] of file.endsWith('.save') ? edit : []) {
      assert.ok(text.includes(found), `${name} has ${found}`);
      text = text.replace(found, by);
    }
    return { name: file, text };
  });
  const node = readDumps([...files, ...(extra ? [{ name: 'conntrack.txt', text: extra }] : [])], { name });
  const tracer = createNodeTracer(node);
  const result = tracer.trace(question);
  if ('kind' in result) assert.fail(result.message);
  return { result, ...whyCauses(result, tracer.tracerOf(result.packet.family).input) };
}

describe('why', () => {
  for (const [cause, asked] of answers) {
    it(`${cause}: ${asked.name} from ${asked.from} to ${asked.to}${asked.edit || asked.extra ? ', changed' : ''}`, () => {
      const { causes, isReachable } = explained(asked);
      assert.equal(causes[0]?.code, cause, causes[0]?.what);
      assert.equal(isReachable, cause === 'not-the-rules');
      assert.deepEqual(
        causes.map(({ order }) => order),
        causes.map(({ order }) => order).sort((a, b) => a - b),
      );
    });
  }

  for (const [cause, asked] of nearMisses) {
    it(`not ${cause}: ${asked.name} from ${asked.from} to ${asked.to}${asked.edit || asked.extra ? ', changed' : ''}`, () => {
      const { causes } = explained(asked);
      assert.ok(!causes.some(({ code }) => code === cause), causes[0]?.what);
    });
  }

  it('has a case of each cause, and one that is near to it', () => {
    // What fails in some ways only fails by another cause, which is the answer; what is behind the rules is always said.
    const byObjects: readonly WhyCauseCode[] = ['no-kube-proxy', 'stale-endpoint'];
    const isAnswer = (id: WhyCauseCode) =>
      id === 'some-ways-only' || byObjects.includes(id) || answers.some(([cause]) => cause === id);
    const isMissed = (id: WhyCauseCode) =>
      id === 'not-the-rules' || byObjects.includes(id) || nearMisses.some(([cause]) => cause === id);
    assert.deepEqual(
      whyCauseCodes.filter((id) => !isAnswer(id) || !isMissed(id)),
      [],
    );
  });

  it('sends on to the node of an endpoint that is on another one', () => {
    const fix = (asked: Asked) => explained(asked).causes.at(-1)?.fix ?? '';
    const near = fix({ name: 'forward-off', from: 'node', to: '10.244.1.100:8080' });
    assert.equal(near, 'See what listens: `ss -ltnp` in the Pod.');
    const far = fix({ name: 'etp-local-legacy', from: '10.244.1.200', to: '10.244.2.9:8080' });
    assert.match(far, /; then k8snet trace DUMP --from 10\.244\.1\.200 --to 10\.244\.2\.9:8080 --proto tcp with/);
  });

  it('says that only some ways fail, and how often', () => {
    const edit = [['COMMIT\n# Completed on', 'COMMIT\n# Completed on']] as const;
    const whole = explained({ name: 'nodeport-legacy', from: '10.244.1.200', to: '10.96.100.1:80', edit });
    assert.ok(!whole.causes.some(({ code }) => code === 'some-ways-only'));
    const folder = join(root, 'fixtures/trace/nodeport-legacy/iptables.legacy.v4.save');
    const filter = /\*filter[\s\S]*?\nCOMMIT\n# Completed on/.exec(readFileSync(folder, 'utf8'))?.[0] ?? '';
    const changed = filter.replace('COMMIT\n# Completed on', dropsOneEndpoint);
    const { causes, isReachable } = explained({
      name: 'nodeport-legacy',
      from: '10.244.1.200',
      to: '10.96.100.1:80',
      edit: [[filter, changed]],
    });
    assert.equal(isReachable, false);
    const partly = causes.find(({ code }) => code === 'some-ways-only');
    assert.match(partly?.what ?? '', /33 % of the time.* 10\.244\.1\.100:8080/);
    assert.equal(causes[0]?.code, 'somebody-in-front');
  });

  it('names the rule with its place, and answers in text and JSON', () => {
    const args = ['why', 'fixtures/trace/no-endpoints-iptnft', '--from', '10.244.1.200', '--to', '10.96.150.1:80'];
    const text = runCli(args);
    assert.equal(text.status, 1);
    assert.match(
      text.stdout,
      /^10\.96\.150\.1:80\/tcp has no endpoints: .*\n {2}fixtures\/trace\/no-endpoints-iptnft\/iptables\.nft\.v4\.save:44: -A KUBE-SERVICES /,
    );
    const isValid = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(root, 'schema/why-output.schema.json'), 'utf8')),
    );
    const json = JSON.parse(runCli([...args, '-o', 'json']).stdout) as { reachable: { num: number } };
    assert.ok(isValid(json), JSON.stringify(isValid.errors));
    assert.equal(json.reachable.num, 0);
    const fine = runCli([
      'why',
      '-f',
      'fixtures/services/nodeport-basic/manifests.yaml',
      '--node',
      'node-1',
      '--kube-version',
      '1.30',
      '--from',
      'outside',
      '--to',
      'node:30080',
      '-q',
    ]);
    assert.equal(fine.status, 0, fine.stderr);
    assert.match(fine.stdout, /^It arrives, and the answer comes back/);
    assert.equal(runCli(['why', 'fixtures/trace/no-endpoints-iptnft', '--from', 'outside']).status, 2);
    const alone = 'golden/recorded/services/nodeport-basic/iptables/iptables.v4.save';
    const own = runCli(['why', alone, '--from', 'node', '--to', '10.96.100.1:80']);
    assert.equal(own.status, 0, own.stdout + own.stderr);
    assert.match(
      runCli(['why', alone, '--from', 'node', '--to', '10.96.100.9:80']).stdout,
      /^No rule of this node has/,
    );
  });

  it('says with manifests where the node does otherwise than it should, and why', () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-why-'));
    try {
      const recorded = join(root, 'golden/recorded/services/nodeport-basic/iptables/iptables.v4.save');
      const [whole, broken] = ['whole.save', 'broken.save'].map((name) => join(folder, name)) as [string, string];
      const text = readFileSync(recorded, 'utf8');
      writeFileSync(whole, text);
      writeFileSync(broken, text.replace(/^-A KUBE-SVC-\w+ .*--probability .*\n/m, ''));
      const objects = [
        '-f',
        'fixtures/services/nodeport-basic/manifests.yaml',
        '--node',
        'node-1',
        '--node-ip',
        '192.168.10.1',
      ];
      const asked = ['--kube-version', '1.30', '--from', 'node', '--to', 'default/front:http'];
      const differs = runCli(['why', broken, ...objects, ...asked]);
      assert.match(
        differs.stdout,
        /^It arrives.*\n[\s\S]*\nThe node treats this packet otherwise than the manifests would:\n/,
      );
      assert.match(differs.stdout, / {2}as it should be {2}33\.3 % [\s\S]* {2}as it is {9}50\.0 % /);
      assert.match(differs.stdout, / {2}K8N204 KUBE-SVC-\w+ sends nothing to 10\.244\.1\.100:8080/);
      const input = readFileSync(join(root, objects[1] as string), 'utf8');
      const piped = runCli(['why', broken, '-f', '-', ...objects.slice(2), ...asked], { input });
      assert.equal(piped.stdout, differs.stdout);
      const same = runCli(['why', whole, ...objects, ...asked]);
      assert.doesNotMatch(same.stdout, /otherwise/);
      const isValid = new Ajv({ allowUnionTypes: true }).compile(
        JSON.parse(readFileSync(join(root, 'schema/why-output.schema.json'), 'utf8')),
      );
      const { stdout } = runCli(['why', broken, ...objects, ...asked, '-o', 'json']);
      const json = JSON.parse(stdout) as { readonly differs: { readonly findings: readonly object[] } };
      assert.ok(isValid(json), JSON.stringify(isValid.errors));
      assert.ok(json.differs.findings.length > 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
