import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { openNamespace } from '../../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../../src/lab/runIn.ts';
import { recordedFor } from '../../derive/targets/comparisons.ts';
import { loadSave, readIptables, tablesOfSave } from '../../kernel/loadRules.ts';
import { kernelTests } from '../../kernel/requirements.ts';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-userspace-'));
after(() => rmSync(folder, { recursive: true }));

const input = join(root, 'fixtures/emit/userspace-1.25/input.yaml');
const target = ['--mode', 'userspace', '--no-allocate', '--node-ip', '10.0.2.15', '--proxy-port-range', '40000-40100'];
const cluster = ['-f', input, ...target, '--kube-version', '1.25'];

function compileObjects(objects: readonly object[], args: readonly string[] = []) {
  const items = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return runCli(['compile', '-f', '-', ...target, '--kube-version', '1.25', ...args], { input: items });
}

function service(name: string, ports: readonly object[], spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { clusterIP: `10.96.1.${name.length}`, ports, ...spec },
  };
}

/** A file of the test's own. */
function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const kernelTest = kernelTests(['iptables-nft']);

kernelTest(
  'the script, run twice, leaves what was recorded; the clean-up takes it away, and nothing else',
  async () => {
    const script = runCli(['compile', ...cluster, '-o', 'script']);
    assert.equal(script.status, 0, script.stderr);
    const cleanup = runCli(['cleanup', '--mode', 'userspace']);
    const wanted = tablesOfSave(recordedFor('userspace-1.25', 'expected.rules'));
    const namespace = await openNamespace('node');
    try {
      const foreign = '*nat\n:OTHER - [0:0]\n-A PREROUTING -p tcp -m tcp --dport 1 -j OTHER\nCOMMIT\n';
      await runIn(namespace, ['sh'], script.stdout);
      await runIn(namespace, ['sh'], script.stdout);
      const loaded = await readIptables(namespace, 'v4', 'nft');
      for (const [table, lines] of Object.entries(wanted)) {
        assert.deepEqual([...(loaded[table] ?? [])].sort(), [...lines].sort(), table);
      }
      // Rules of Services that are gone go with the chains.
      await runIn(namespace, ['iptables-nft', '-t', 'nat', '-A', 'KUBE-PORTALS-HOST', '-p', 'tcp', '-j', 'RETURN']);
      await runIn(namespace, ['sh'], script.stdout);
      assert.doesNotMatch((await readIptables(namespace, 'v4', 'nft')).nat?.join('\n') ?? '', /-j RETURN/);
      await loadSave(namespace, 'v4', 'nft', foreign);
      await runIn(namespace, ['sh'], script.stdout);
      await runIn(namespace, ['sh'], cleanup.stdout);
      assert.deepEqual(
        (await readIptables(namespace, 'v4', 'nft')).nat?.filter((line) => line.startsWith('-A')),
        ['-A PREROUTING -p tcp -m tcp --dport 1 -j OTHER'],
      );
    } finally {
      await namespace.close();
    }
  },
);

kernelTest('a command that fails leaves the former rules', async () => {
  const { stdout } = runCli(['compile', ...cluster, '-o', 'script']);
  const namespace = await openNamespace('node');
  try {
    await runIn(namespace, ['sh'], stdout);
    const before = await readIptables(namespace, 'v4', 'nft');
    const broken = stdout.replace(/(rule nat -A KUBE-NODEPORT-HOST .*) -j DNAT .*/, '$1 -j NOTHING');
    assert.notEqual((await tryIn(namespace, ['sh'], broken)).status, 0);
    assert.deepEqual(await readIptables(namespace, 'v4', 'nft'), before);
  } finally {
    await namespace.close();
  }
});

test('proxy ports are chosen at random: a dump with others is the same', () => {
  const save = runCli(['compile', ...cluster]).stdout;
  const other = save.replaceAll('40000', '51234').replaceAll('40002', '33333');
  assert.equal(runCli(['diff', ...cluster, written('same.save', other)]).status, 0);
  // One that differs inside the dump leads to nobody.
  const torn = other.replace(/(KUBE-NODEPORT-HOST .*:)33333/, '$144444');
  const { status, stdout } = runCli(['diff', ...cluster, written('torn.save', torn)]);
  assert.equal(status, 1);
  assert.match(stdout, /demo\/lb:web\n {2}error K8N201 KUBE-NODEPORT-HOST has no rule for port 31443\/tcp/);
});

test('diff names Services whose rules are missing, and rules of none', () => {
  const save = runCli(['compile', ...cluster]).stdout;
  const missing = save.replace(/^-A KUBE-PORTALS-HOST -d 10\.96\.0\.22.*\n/m, '');
  assert.match(
    runCli(['diff', ...cluster, written('a.save', missing)]).stdout,
    /demo\/np\n {2}error K8N201 KUBE-PORTALS-HOST has no rule for 10\.96\.0\.22:80\/tcp/,
  );
  const line =
    '-A KUBE-PORTALS-HOST -d 10.96.9.9/32 -p tcp -m comment --comment "old/gone:x" -m tcp --dport 80 -j DNAT --to-destination 10.0.2.15:1';
  const extra = save.replace(/(^-A KUBE-PORTALS-HOST .*$)/m, `$1\n${line}`);
  assert.match(
    runCli(['diff', ...cluster, written('b.save', extra)]).stdout,
    /error K8N202 KUBE-PORTALS-HOST has a rule of old\/gone:x, which no Service has/,
  );
});

test('versions are told by names of unnamed ports and by comments', () => {
  const detected = (version: string) => {
    const save = runCli(['compile', '-f', input, ...target, '--kube-version', version]).stdout;
    return JSON.parse(runCli(['versions', '--detect', written('v.save', save), '-o', 'json']).stdout) as {
      mode: string;
      versions: string[];
    };
  };
  for (const [version, first, last] of [
    ['1.10', '1.2', '1.10'],
    ['1.18', '1.11', '1.18'],
    ['1.25', '1.19', '1.25'],
  ] as const) {
    const { mode, versions } = detected(version);
    assert.deepEqual([mode, versions[0], versions.at(-1)], ['userspace', first, last]);
  }
  // Comments are no part of what a rule does.
  const save = runCli(['compile', ...cluster]).stdout.replaceAll('40003', '55555');
  const compare = runCli(['diff', '-f', input, ...target, '--kube-version', '1.18', written('w.save', save)]);
  assert.equal(compare.status, 0, compare.stdout);
});

test('up to 1.10 the rule for node ports names its Service twice', () => {
  const { stdout } = runCli(['compile', '-f', input, ...target, '--kube-version', '1.10']);
  assert.match(
    stdout,
    /--comment "demo\/lb:web" -m tcp --dport 40002 -m comment --comment "demo\/lb:web" -m state --state NEW -j ACCEPT$/m,
  );
});

test('bound to one address, everything is translated to it', () => {
  const { stdout } = runCli(['compile', ...cluster, '--bind-address', '10.0.2.99']);
  assert.doesNotMatch(stdout, /REDIRECT/);
  assert.match(
    stdout,
    /^-A KUBE-PORTALS-CONTAINER -d 10\.96\.0\.21\/32 .* -j DNAT --to-destination 10\.0\.2\.99:40000$/m,
  );
  assert.match(stdout, /^-A KUBE-PORTALS-HOST -d 10\.96\.0\.21\/32 .* -j DNAT --to-destination 10\.0\.2\.99:40000$/m);
  for (const ip of ['127.0.0.1', '::1']) {
    const { status, stderr } = runCli(['compile', ...cluster, '--bind-address', ip]);
    assert.equal(status, 2);
    assert.match(stderr, /error proxy-on-localhost:/);
  }
});

test('the configuration names mode, ports and address of versions that have the mode', () => {
  const config = written(
    'config.yaml',
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: userspace\nportRange: 50000+10\nbindAddress: 10.0.2.77\n',
  );
  const args = ['-f', input, '--no-allocate', '--config', config];
  const { status, stdout, stderr } = runCli(['compile', ...args, '--kube-version', '1.20']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /KUBE-PORTALS-CONTAINER .* --to-destination 10\.0\.2\.77:50000$/m);
  assert.equal(runCli(['compile', ...args, '--kube-version', '1.30']).status, 2);
});

test('what the mode cannot do is said', () => {
  const { status, stdout, stderr } = compileObjects(
    [
      service('a', [{ port: 80, protocol: 'SCTP' }]),
      service(
        'bb',
        [{ port: 80 }, { name: 'x', port: 81 }].map((port, index) => ({ name: `p${index}`, ...port })),
      ),
      service('ccc', [{ port: 80, nodePort: 30080 }], {
        type: 'LoadBalancer',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
      }),
      service('dddd', [{ port: 80 }], { clusterIP: 'fd00::1', ipFamilies: ['IPv6'] }),
    ],
    ['--proxy-port-range', '40000-40001'],
  );
  assert.equal(status, 0, stderr);
  for (const code of ['protocol-unsupported', 'proxy-ports-exhausted', 'source-ranges-ineffective', 'other-family']) {
    assert.match(stderr, new RegExp(` warning ${code}:`));
  }
  assert.deepEqual(stdout.match(/--to-ports \d+/g), ['--to-ports 40000', '--to-ports 40001']);
  assert.equal(runCli(['compile', ...cluster, '-o', 'restore']).status, 2);
  assert.equal(runCli(['compile', ...cluster, '--proxy-port-range', '9-1']).status, 2);
});

test('doctor and canon read the chains as kube-proxy’s', () => {
  const save = written('doctor.save', runCli(['compile', ...cluster]).stdout);
  assert.match(runCli(['doctor', save]).stdout, /^3 Services$/m);
  const canonical = runCli(['canon', save]).stdout;
  assert.equal(runCli(['canon', written('canon.save', canonical)]).stdout, canonical);
});

test('JSON keeps to its schema', () => {
  const schema = JSON.parse(readFileSync(join(root, 'schema/compile-output.schema.json'), 'utf8'));
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  const output = JSON.parse(runCli(['compile', ...cluster, '-o', 'json']).stdout) as {
    mode: string;
    artefacts: Record<string, readonly string[]>;
  };
  assert.equal(isValid(output), true, JSON.stringify(isValid.errors));
  assert.equal(output.mode, 'userspace');
  assert.ok(output.artefacts['iptables.v4.save']?.includes(':KUBE-PORTALS-HOST - [0:0]'));
});
