import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { cliCommand, runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-shells-'));
after(() => rmSync(folder, { recursive: true }));

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
writeFileSync(join(folder, 'k8snet'), `#!/bin/sh\nexec ${quoted(cliCommand)} "$@"\n`);
chmodSync(join(folder, 'k8snet'), 0o755);

const lines = [
  ['k8snet com', ['compile', 'completion']],
  ['k8snet compile --mode ', ['iptables', 'ipvs', 'nftables', 'userspace']],
  ['k8snet compile -f fixtures/page/shop.yaml --node ', ['n1', 'n2']],
  ['k8snet compile -f fixtures/page/sho', ['fixtures/page/shop.yaml']],
] as const;

/** A program that shows, behind the script, what each shell offers for a line; the line is $1 or $argv[1]. */
const shells = [
  {
    name: 'bash',
    program: '/bin/bash',
    args: (line: string) => [
      '--norc',
      '-ic',
      // Readline splits as bash does here; compopt works only while it completes.
      `source <(k8snet completion bash); bind 'set show-all-if-ambiguous on' 'set completion-query-items 0' 2>/dev/null
       compopt() { [[ "$*" == *default* ]] && files=1; return 0; }
       COMP_LINE=$1; COMP_POINT=\${#1}; files=0; _k8snet
       ((files)) && COMPREPLY+=($(compgen -f -- "\${COMP_LINE##* }"))
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      line,
    ],
  },
  {
    name: 'fish',
    program: '/usr/bin/fish',
    args: (line: string) => [
      '--no-config',
      '-c',
      'k8snet completion fish | source; complete -C "$argv[1]" | string replace -r "\\t.*" ""',
      line,
    ],
  },
  {
    name: 'zsh',
    program: '/usr/bin/zsh',
    // A shell of its own behind a terminal, whose completion prints what it would add.
    args: (line: string) => ['-fc', zshCapture, 'zsh', line],
  },
];

const zshCapture = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; PS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; source <(k8snet completion zsh)
compadd() { if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -A found "$@"; local one; for one in $found; print -r -- "<<$IPREFIX$one>>"; builtin compadd "$@"; }
bindkey "^I" complete-word; zstyle ":completion:*" list-prompt ""; LISTMAX=0; echo READY'
zpty -r z text '*READY*READY*'
zpty -w -n z "$1"$'\\t'
while zpty -r z text; do
  print -r -- "$text"
  [[ $text == *'>>'* ]] && break
done
sleep 0.3
while zpty -rt z text; do print -r -- "$text"; done
zpty -d z
`;

describe('completion in shells', () => {
  for (const { name, program, args } of shells) {
    for (const [line, wanted] of lines) {
      it(`${name}: ${line}`, { skip: existsSync(program) ? false : `${program} is not installed` }, () => {
        const { stdout, stderr, error } = spawnSync(program, args(line), {
          cwd: root,
          encoding: 'utf8',
          timeout: 60_000,
          env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: 'dumb', LC_ALL: 'C.UTF-8' },
        });
        const found =
          name === 'zsh'
            ? [...stdout.matchAll(/<<(.*?)>>/g)].map(([, one]) => one ?? '')
            : stdout.split('\n').map((one) => one.trim());
        // zsh adds what is behind the folder.
        const missing = wanted.filter((one) => !found.includes(one) && !found.includes(one.replace(/^.*\//, '')));
        assert.deepEqual(missing, [], `${stdout}\n${stderr}\n${error ?? ''}`);
      });
    }
  }

  it('scripts are read without complaint', () => {
    for (const [shell, program, args] of [
      ['bash', '/bin/bash', ['-n']],
      ['zsh', '/usr/bin/zsh', ['-n']],
      ['fish', '/usr/bin/fish', ['--no-execute']],
    ] as const) {
      if (!existsSync(program)) continue;
      const script = join(folder, `script.${shell}`);
      writeFileSync(script, runCli(['completion', shell]).stdout);
      const { status, stderr } = spawnSync(program, [...args, script], { encoding: 'utf8' });
      assert.equal(`${status} ${stderr}`, '0 ', shell);
    }
  });

  it('refuses other shells', () => {
    const { status, stderr } = runCli(['completion', 'tcsh']);
    assert.equal(status, 2);
    assert.match(stderr, /bash, zsh, fish, powershell/);
  });
});
