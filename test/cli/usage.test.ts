import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { cliCommand, runCli } from '../support/runCli.ts';

/** Command lines that are wrong, what is said of them, and the command whose help page is named. */
const wrong: readonly (readonly [args: string, message: RegExp, command: string])[] = [
  ['compile', /^error bad-option: required option '-f, --filename <path>' not specified\n/, 'compile'],
  ['compile --filenam x', /^error bad-option: unknown option '--filenam'\n\(Did you mean --filename\?\)\n/, 'compile'],
  [
    'compile -f x --mode iptable',
    /^error bad-option: option '--mode <mode>' .*\n\(Did you mean iptables\?\)\n/,
    'compile',
  ],
  [
    'compile -f x --mode nothing',
    /^error bad-option: option '--mode <mode>' .* Allowed choices are iptables, /,
    'compile',
  ],
  ['compile -f x y', /^error: too many arguments/, 'compile'],
  ['compiel -f x', /^error: unknown command 'compiel'\n\(Did you mean compile\?\)\n/, ''],
  ['compiel --help', /^error: unknown command 'compiel'\n\(Did you mean compile\?\)\n/, ''],
  ['help compiel', /^error: unknown command 'compiel'\n\(Did you mean compile\?\)\n/, ''],
  ['policy tset --from a --to b', /^error: unknown command 'tset'\n\(Did you mean test\?\)\n/, 'policy'],
  [
    'policy test --frm a --to b',
    /^error bad-option: unknown option '--frm'\n\(Did you mean --from\?\)\n/,
    'policy test',
  ],
  ['policy test -f x --from a', /^error bad-option: required option '--to <whom>' not specified\n/, 'policy test'],
  ['policy test -f x --from a --to b --port 0', /^error bad-option: option '--port <port>' /, 'policy test'],
  ['policy test -f x --from a --to b c', /^error: too many arguments/, 'policy test'],
  [
    'policy matrix --famly ipv4',
    /^error bad-option: unknown option '--famly'\n\(Did you mean --family\?\)\n/,
    'policy matrix',
  ],
  ['policy explain -f x --output yaml', /^error bad-option: option '-o, --output <form>' /, 'policy explain'],
  ['diff', /^error: missing required argument 'dump'\n/, 'diff'],
  ['diff one', /error bad-option: /, 'diff'],
  ['versions --detec x', /^error bad-option: unknown option '--detec'\n\(Did you mean --detect\?\)\n/, 'versions'],
];

describe('a command line that is wrong', () => {
  for (const [args, message, command] of wrong) {
    it(`${args}: exit code 2, a message, and where the help is`, () => {
      const { status, stdout, stderr } = runCli(args.split(' '));
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.ok(stderr.toLowerCase().includes(`run 'k8snet ${command} --help' for usage`.replace('  ', ' ')), stderr);
    });
  }

  it('shows no control characters of the command line', () => {
    const { status, stderr } = runCli(['compile', '--\u001b[31m']);
    assert.equal(status, 2);
    assert.ok(!stderr.includes('\u001b'), stderr);
  });
});

it('help of a nested command is its own page', () => {
  for (const args of [
    ['help', 'policy', 'test'],
    ['policy', 'help', 'test'],
    ['policy', 'test', '--help'],
  ]) {
    const { status, stdout } = runCli(args);
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: k8snet policy test /);
  }
});

it('names the policy that was meant', () => {
  const manifests = join(root, 'fixtures/networkpolicy/own-10-endport/manifests.yaml');
  const [, name = ''] = /kind: NetworkPolicy\nmetadata:\n {2}name: (\S+)/.exec(readFileSync(manifests, 'utf8')) ?? [];
  const { status, stderr } = runCli(['policy', 'explain', '-f', manifests, `${name}x`]);
  assert.equal(status, 2);
  assert.match(stderr, new RegExp(`policy "${name}x" not found[\\s\\S]*did you mean ${name}\\?`));
});

it('refuses a node that is not among the Nodes of the input', () => {
  const nodes = ['n1', 'worker-2']
    .map((name) => `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n`)
    .join('---\n');
  for (const command of ['compile', 'lint']) {
    const { status, stdout, stderr } = runCli([command, '-f', '-', '--node', 'worker2'], { input: nodes });
    assert.equal(status, 2);
    assert.equal(command === 'lint' ? stderr : stdout, '');
    assert.match(
      stdout + stderr,
      /error node-unknown: Node "worker2" not found in the input[\s\S]*did you mean worker-2\?/,
    );
  }
  // Without Nodes the name is all that there is.
  assert.equal(runCli(['compile', '-f', '-', '--node', 'any'], { input: '' }).status, 0);
});

it('is called k8snet, or kubectl k8snet where kubectl runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-kubectl-'));
  const link = join(folder, 'kubectl-k8snet');
  // A bundle is the last word behind Node; an executable is all there is.
  const [program = '', ...words] = [...cliCommand].reverse();
  symlinkSync(program, link);
  const [node = '', ...rest] = [...words.reverse(), link, 'policy', 'test', '-h'];
  const { stdout } = spawnSync(node, rest, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  assert.match(stdout, /^Usage: kubectl k8snet policy test /);
});

it('says which Node it needs', () => {
  const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.11.1'}})";
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, join(root, 'bin/k8snet.cjs'), '--version'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /^k8snet needs Node 20\.12 or newer; this is Node 20\.11\.1\n$/);
});
