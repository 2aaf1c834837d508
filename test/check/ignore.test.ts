import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-ignore-'));
after(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(join(folder, 'k8snet.yaml'), { force: true }));

const fixture = join(root, 'fixtures/services/lb-basic');
const target = [
  '-f',
  join(fixture, 'manifests.yaml'),
  '--config',
  join(fixture, 'config.yaml'),
  ...readFileSync(join(fixture, 'args'), 'utf8').trim().split(/\s+/),
];
const save = join(folder, 'n1.save');
const recorded = readFileSync(join(root, 'golden/recorded/services/lb-basic/iptables/iptables.v4.save'), 'utf8');
writeFileSync(save, recorded.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1'));
const flushed = join(folder, 'flushed.save');
writeFileSync(flushed, recorded.replace(/^-A PREROUTING .*KUBE-SERVICES\n/m, ''));

/** Runs in the folder, with what k8snet.yaml ignores there. */
function run(ignore: string | undefined, ...args: readonly string[]) {
  if (ignore !== undefined) writeFileSync(join(folder, 'k8snet.yaml'), ignore);
  return runCli(args, { cwd: folder });
}

describe('ignore in k8snet.yaml of the working directory', () => {
  it('leaves findings out of diff and doctor, and a note says so', () => {
    assert.equal(run(undefined, 'diff', ...target, save).status, 1);
    const diff = run('ignore: [K8N307, k8n203]\n', 'diff', ...target, save);
    assert.equal(diff.status, 0, diff.stdout + diff.stderr);
    assert.match(diff.stdout, /note: 1 finding not shown: K8N203/);

    assert.equal(run('version: 1\n', 'doctor', flushed).status, 1);
    const doctor = run('ignore:\n- K8N207\n', 'doctor', flushed);
    assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr);
    assert.match(doctor.stdout, /not shown: K8N207/);
  });

  it('for one Service alone', () => {
    const [, service = ''] =
      /^(\S+\/[^\s:]+):?\S*\n {2}error K8N203/m.exec(run(undefined, 'diff', ...target, save).stdout) ?? [];
    assert.equal(run(`ignore: [{ id: K8N203, service: ${service} }]\n`, 'diff', ...target, save).status, 0);
    assert.equal(run('ignore: [{ id: K8N203, service: other/web }]\n', 'diff', ...target, save).status, 1);
    assert.equal(run(`ignore: [{ id: K8N302, service: ${service} }]\n`, 'diff', ...target, save).status, 1);
  });

  it('names what is not a finding at its place, with a hint', () => {
    const { status, stderr, stdout } = run('# mine\nignore:\n  - K8N230\n  - nonsense\n', 'diff', ...target, save);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^k8snet\.yaml:3:5 error unknown-finding: K8N230 is not a finding$/m);
    assert.match(stderr, /hint: did you mean K8N203\?/);
    assert.match(stderr, /^k8snet\.yaml:4:5 error unknown-finding: nonsense is not a finding$/m);
    assert.match(stderr, /hint: k8snet explain --list names all findings/);
  });

  it('names what has another form, and a Service without its namespace', () => {
    const bad = run('ignore: [{ id: K8N203, service: web }, { id: K8N203 }, 7]\n', 'doctor', flushed);
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /k8snet\.yaml:1:\d+ error missing-field: ignore\[1\]\.service is required/);
    assert.match(bad.stderr, /error wrong-type: .*the number 7/);
    const name = run('ignore: [{ id: K8N203, service: web }]\n', 'doctor', flushed);
    assert.equal(name.status, 2);
    assert.match(name.stderr, /k8snet\.yaml:1:33 error bad-check-file: "web" names no Service/);
    assert.match(name.stderr, /hint: write namespace\/name/);
  });

  it('looks at nothing else of the file', () => {
    assert.equal(run('cases: 7\nignore: [K8N207]\n', 'doctor', flushed).status, 0);
    assert.equal(run('- a\n', 'doctor', flushed).status, 1);
  });
});
