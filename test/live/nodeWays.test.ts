import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { everyNodeCommand } from '../../src/live/node/nodeCommands.ts';
import { procCommands } from '../../src/live/node/procCommands.ts';
import { runProcess } from '../support/runCli.ts';

/** How nodes are reached, and what is said where one is reached in part or not at all. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-ways-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const bin = join(folder, 'bin');
const node = join(folder, 'node');

/** A node: programs that print what they are told to, and a shell that knows only them. */
const rules = `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
-A PREROUTING -j KUBE-SERVICES
-A KUBE-SERVICES -d 10.96.0.9/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA
COMMIT`;

function program(name: string, script: string, where = node): void {
  writeFileSync(join(where, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
}

const shell = `PATH=${node}:/usr/bin:/bin exec /bin/sh -s`;

beforeEach(() => {
  rmSync(bin, { recursive: true, force: true });
  rmSync(node, { recursive: true, force: true });
  mkdirSync(bin);
  mkdirSync(node);
  // Nothing of this machine is read.
  for (const { words } of [...everyNodeCommand, ...procCommands]) program(words[0] ?? '', 'exit 1');
  program('cat', 'exec /bin/cat "$@"');
  program('iptables-nft-save', `cat <<'END'\n${rules}\nEND`);
  program('id', 'echo 0');
});

function read(...args: readonly string[]) {
  return runProcess(['doctor', 'node/n1', ...args], {
    environment: { PATH: `${bin}:${process.env.PATH}`, KUBECONFIG: join(folder, 'none') },
  });
}

test('ssh is asked nothing that it could take for an option, and its script is the input', () => {
  program('ssh', `echo "$*" > ${folder}/ssh\n${shell}`, bin);
  const { status, stdout, stderr } = read('--via', 'ssh:admin@{node}.example');
  assert.equal(status, 1, stderr);
  assert.match(stdout, /KUBE-SVC-AAAAAAAAAAAAAAAA/);
  const asked = readFileSync(join(folder, 'ssh'), 'utf8');
  assert.match(asked, /^-o BatchMode=yes -T -- admin@n1\.example if \[ "\$\(id -u\)" -eq 0 \]/);
});

test('a host that refuses is named with what ssh says, without the returns at its line ends', () => {
  program('ssh', `printf 'ssh: connect to host n1 port 22: Connection refused\\r\\n' >&2; exit 255`, bin);
  const { status, stderr } = read('--via', 'ssh');
  assert.equal(status, 5);
  assert.equal(
    stderr,
    'error node-unread: node n1 cannot be read (ssh n1): ssh: connect to host n1 port 22: Connection refused\n' +
      '  hint: here ssh and sudo may ask nothing: log in once by hand to see what they want\n',
  );
});

test('without the right to read rules, the programs say why and the node is not read', () => {
  program('iptables-nft-save', `echo 'Permission denied (you must be root)' >&2; exit 4`);
  program('ssh', shell, bin);
  const { status, stderr } = read('--via', 'ssh');
  assert.equal(status, 5);
  assert.match(stderr, /warning node-half-read: node n1: iptables-nft-save -c failed: Permission denied/);
  assert.match(stderr, /error node-unread: node n1 cannot be read \(ssh n1\): no program there printed any rules\n/);
});

test('an answer that was cut is a dump that is not whole', () => {
  program('iptables-nft-save', `cat <<'END'\n${rules.replace(/\n.*\nCOMMIT$/, '')}\nEND\nkill -9 $PPID`);
  program('ssh', shell, bin);
  const { stderr } = read('--via', 'ssh');
  assert.match(
    stderr,
    /warning node-half-read: node n1: iptables-nft-save -c was cut before its end: its dump is not whole/,
  );
});

test('a node that does not answer is given up when its time is over', () => {
  program('ssh', 'exec sleep 600', bin);
  const { status, stderr } = read('--via', 'ssh', '--node-timeout', '1s');
  assert.equal(status, 5);
  assert.match(stderr, /node n1 cannot be read \(ssh n1\): no answer in time/);
});

const pods = JSON.stringify({
  items: [
    {
      metadata: { name: 'kube-proxy-x', labels: { 'k8s-app': 'kube-proxy' } },
      spec: { nodeName: 'n1', containers: [{ name: 'kube-proxy' }] },
      status: { phase: 'Running' },
    },
  ],
});

function kubectl(exec: string): void {
  program(
    'kubectl',
    `while [[ $1 == --* ]]; do shift; done
case $1 in config) echo test ;; get) echo '${pods}' ;; exec) while [[ $1 != -- ]]; do shift; done; shift; ${exec} ;; esac`,
    bin,
  );
}

test('an image without a shell is asked one program after the other', () => {
  kubectl(`[[ $1 != sh && -x ${node}/$1 ]] || { echo "exec: \\"$1\\": executable file not found in $PATH" >&2; exit 1; }
    exec ${node}/"$@"`);
  const { status, stdout, stderr } = read('--via', 'pod');
  assert.equal(status, 1, stderr);
  assert.match(stdout, /KUBE-SVC-AAAAAAAAAAAAAAAA/);
});

test('an exec that is refused is named with the rule that grants it, one that fails with its reason', () => {
  kubectl(
    `echo 'Error from server (Forbidden): pods "kube-proxy-x" is forbidden: User "me" cannot create resource "pods/exec"' >&2; exit 1`,
  );
  const forbidden = read('--via', 'pod');
  assert.equal(forbidden.status, 5);
  assert.match(forbidden.stderr, /hint: a role with this rule grants it: .*pods\/exec/);
  kubectl(`echo 'error: unable to upgrade connection: container not found ("kube-proxy")' >&2; exit 1`);
  const failed = read('--via', 'pod');
  assert.equal(failed.status, 5);
  assert.match(failed.stderr, /\(Pod kube-system\/kube-proxy-x\): error: unable to upgrade connection/);
  assert.match(failed.stderr, /hint: other ways to a node: --via ssh, --via debug/);
});
