import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { executable, runProcess } from '../support/runCli.ts';

/**
 * Without `--live` nothing is contacted and no program is started, whatever the environment offers: a Pod's account, a
 * kubeconfig, a kubectl. With it, all of that is seen here. The trap is a module that Node loads first; an executable
 * loads none, and is made of the same sources.
 */
const skip = executable ? 'the trap stands in Node, not in an executable' : false;
const folder = mkdtempSync(join(tmpdir(), 'k8snet-offline-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const log = join(folder, 'contacts');
const trap = join(folder, 'trap.cjs');
writeFileSync(
  trap,
  `const { appendFileSync } = require('node:fs');
const tell = (what) => appendFileSync(${JSON.stringify(log)}, what + '\\n');
const wrap = (owner, name) => {
  const own = owner[name];
  owner[name] = function (...args) { tell(name + ' ' + args[0]); return own.apply(this, args); };
};
wrap(require('node:net').Socket.prototype, 'connect');
wrap(require('node:dgram').Socket.prototype, 'bind');
wrap(require('node:dgram').Socket.prototype, 'send');
wrap(require('node:dns'), 'lookup');
for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork']) wrap(require('node:child_process'), name);
require('node:module').syncBuiltinESMExports();
`,
);

function contactsOf(args: readonly string[]): { readonly status: number | null; readonly contacts: string } {
  rmSync(log, { force: true });
  writeFileSync(join(folder, 'kubeconfig'), 'apiVersion: v1\nkind: Config\ncurrent-context: nobody\n');
  const { status } = runProcess(args, {
    environment: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${trap}`,
      KUBECONFIG: join(folder, 'kubeconfig'),
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: '1',
    },
  });
  return { status, contacts: existsSync(log) ? readFileSync(log, 'utf8') : '' };
}

const manifests = 'fixtures/services/lb-basic/manifests.yaml';
const policies = 'fixtures/networkpolicy/atk-01-icmp/manifests.yaml';
const dump = 'golden/recorded/services/lb-basic/iptables/iptables.v4.save';

const offline: readonly (readonly string[])[] = [
  ['compile', '-f', manifests],
  ['lint', '-f', manifests],
  ['diff', '-f', manifests, dump],
  ['doctor', dump],
  ['trace', dump, '--from', '10.244.1.9', '--to', '10.96.110.1:80'],
  ['why', '-f', manifests, '--from', '10.244.1.9', '--to', '10.96.110.1:80'],
  ['reach', dump],
  ['migrate', '-f', manifests, '--to', 'nftables'],
  ['policy', 'matrix', '-f', policies],
  ['emit', 'dns', '-f', manifests],
  ['explain', 'service', '-f', manifests],
  ['import', dump],
  ['collect'],
];

for (const args of offline) {
  test(`${args[0]} contacts nobody: ${args.join(' ')}`, { skip }, () => {
    const { status, contacts } = contactsOf(args);
    assert.equal(contacts, '');
    // What was refused would not have contacted anybody in any case.
    assert.ok(status === 0 || status === 1 || status === 3, `exit code ${status}`);
  });
}

test('the name of a node is no reason to contact one', { skip }, () => {
  const { status, contacts } = contactsOf(['doctor', 'node/n1']);
  assert.equal(contacts, '');
  assert.equal(status, 2);
});

test('--live starts kubectl: the trap sees what it is to see', { skip }, () => {
  assert.match(contactsOf(['compile', '--live']).contacts, /^spawn kubectl$/m);
});

test('options of a cluster without --live are refused, and contact nobody', () => {
  const { status, stderr } = runProcess(['compile', '-f', manifests, '--context', 'prod']);
  assert.equal(status, 2);
  assert.match(stderr, /error bad-option: --context is about a cluster, which is read with --live only/);
  assert.equal(contactsOf(['compile', '-f', manifests, '--context', 'prod']).contacts, '');
});

test('without -f and --live nothing is given', () => {
  const { status, stderr } = runProcess(['compile']);
  assert.equal(status, 2);
  assert.match(stderr, /required option '-f, --filename <path>' not specified/);
});
