import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../cluster/until.ts';
import { cliCommand, runProcess } from '../support/runCli.ts';

/** `--via debug`: the Pod that is made for a node is removed, however the run ends. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-debug-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A kubectl that writes down what it is asked, and answers from the folder. */
const script = `#!/bin/bash
while [[ $1 == --* ]]; do shift; done
echo "$*" >> ${folder}/log
case $1 in
  config) echo test ;;
  create) [[ ! -e ${folder}/forbidden ]] || { echo 'Error from server (Forbidden): pods is forbidden' >&2; exit 1; }
    cat > ${folder}/pod.json ;;
  wait) [[ ! -e ${folder}/stuck ]] || { echo 'error: timed out waiting for the condition' >&2; exit 1; }
    [[ ! -e ${folder}/slow ]] || exec sleep 300 ;;
  exec) script=$(cat)
    [[ $script =~ (k8snet-[0-9a-f]+)\\ .*take\\ ([0-9]+)\\ iptables-nft-save ]]
    mark=\${BASH_REMATCH[1]}
    number=$(grep -o 'take [0-9]* iptables-nft-save' <<< "$script" | head -1 | cut -d' ' -f2)
    printf '%s begin %s\\n%s\\n\\n%s end %s 0\\n' "$mark" "$number" "$(cat ${folder}/rules)" "$mark" "$number" ;;
esac
`;
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/kubectl'), script, { mode: 0o755 });
writeFileSync(
  join(folder, 'rules'),
  '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n-A KUBE-SERVICES -d 10.96.0.9/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA\nCOMMIT',
);

const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, KUBECONFIG: join(folder, 'none') };
const words = ['doctor', 'node/n1', '--via', 'debug:registry.example/tools:1'];

function asked(): readonly string[] {
  return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
}

function run(file?: string) {
  rmSync(join(folder, 'log'), { force: true });
  if (file !== undefined) writeFileSync(join(folder, file), '');
  const ended = runProcess(words, { environment });
  if (file !== undefined) rmSync(join(folder, file));
  return { ...ended, made: asked().filter((line) => /^(?:create|delete)/.test(line)) };
}

test('a node is read through a Pod that is made for it and removed', () => {
  const { status, stdout, stderr, made } = run();
  assert.equal(status, 1, stderr);
  assert.match(stdout, /KUBE-SVC-AAAAAAAAAAAAAAAA/);
  assert.deepEqual(
    made.map((line) => line.split(' ')[0]),
    ['create', 'delete'],
  );
  const pod = JSON.parse(readFileSync(join(folder, 'pod.json'), 'utf8'));
  assert.equal(pod.spec.nodeName, 'n1');
  assert.equal(pod.spec.containers[0].image, 'registry.example/tools:1');
  assert.equal(pod.spec.containers[0].volumeMounts[0].readOnly, true);
  assert.equal(pod.spec.containers[0].securityContext.privileged, undefined);
  assert.match(made[1] ?? '', new RegExp(`^delete pod ${pod.metadata.name} --namespace=kube-system`));
});

test('a Pod that does not start is removed, and the node is named', () => {
  const { status, stderr, made } = run('stuck');
  assert.equal(status, 5);
  assert.match(
    stderr,
    /node n1 cannot be read: Pod kube-system\/k8snet-\w+ of image .* does not start there: error: timed out/,
  );
  assert.equal(made.length, 2);
});

test('without the right to make one, the rule of a role is named', () => {
  const { status, stderr, made } = run('forbidden');
  assert.equal(status, 5);
  assert.match(stderr, /the account may not make a Pod in kube-system/);
  assert.match(stderr, /resources: \[pods\], verbs: \[create, get, list, watch, delete\]/);
  assert.equal(made.length, 1);
});

test('Ctrl-C removes the Pod', async () => {
  rmSync(join(folder, 'log'), { force: true });
  writeFileSync(join(folder, 'slow'), '');
  const [program = '', ...args] = cliCommand;
  const child = spawn(program, [...args, ...words], { env: { ...process.env, ...environment }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(
    'the Pod is made',
    30_000,
    async () => existsSync(join(folder, 'log')) && asked().some((line) => line.startsWith('wait')),
  );
  child.kill('SIGINT');
  const [code] = await ended;
  rmSync(join(folder, 'slow'));
  assert.equal(code, 130);
  assert.match(asked().at(-1) ?? '', /^delete pod k8snet-/);
});
