import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { collectCommands } from '../../src/script/collect/collectCommands.ts';
import { collectList } from '../../src/script/collect/collectList.ts';
import { collectScript } from '../../src/script/collect/collectScript.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-collect-'));
const tools = join(folder, 'bin');
after(() => rmSync(folder, { recursive: true, force: true }));

/** A PATH with a shell's usual tools, and stand-ins for some of those that are asked. */
before(() => {
  mkdirSync(tools);
  for (const name of ['sh', 'uname', 'date', 'mkdir', 'id', 'sed', 'rm', 'tar', 'gzip']) {
    const path = ['/bin', '/usr/bin'].map((bin) => join(bin, name)).find(existsSync);
    assert.ok(path !== undefined, name);
    symlinkSync(path, join(tools, name));
  }
  const tool = (name: string, script: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  tool('iptables-nft-save', 'echo "*nat"');
  tool('iptables-save', 'echo "the host\'s own"');
  tool('ip6tables-save', 'echo "# v6"');
  tool('nft', 'echo partly; echo broken >&2; exit 1');
  tool('kubectl', 'echo "$*"');
});

function collect(target: string) {
  return spawnSync('/bin/sh', ['-s', '--', target], {
    cwd: folder,
    input: collectScript(collectCommands),
    encoding: 'utf8',
    env: { PATH: tools },
  });
}

describe('collect', () => {
  it('asks in plain words, into files of their own', () => {
    const files = collectCommands.map(({ file }) => file);
    assert.equal(new Set(files).size, files.length);
    for (const { words, file } of collectCommands) {
      for (const word of [...words, file]) assert.match(word, /^[\w./:=-]+$/);
    }
  });

  it('lists every command', () => {
    const list = collectList(collectCommands);
    assert.ok(collectCommands.length > 10);
    for (const { words, file } of collectCommands) assert.ok(list.includes(`${words.join(' ')} > ${file}   # `));
  });

  it('is a script that shellcheck finds nothing in', (context) => {
    const { status, stdout, error } = spawnSync('shellcheck', ['-s', 'sh', '-'], {
      input: collectScript(collectCommands),
      encoding: 'utf8',
    });
    if (error !== undefined) {
      assert.ok(!process.env.K8SNET_REQUIRE_KERNEL, 'shellcheck is not installed');
      context.skip('shellcheck is not installed');
      return;
    }
    assert.equal(status, 0, stdout);
  });

  it('goes on where tools are missing or fail, says so, and packs what there is', () => {
    const { status, stdout, stderr } = collect('out');
    assert.equal(status, 0, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^collect: not installed: iptables-legacy-save /m);
    assert.match(stderr, /^collect: dumps\/nft\.txt: nft failed; see errors\.txt$/m);
    assert.match(stderr, /files in out and out\.tar\.gz\n$/);
    const dumps = join(folder, 'out/dumps');
    assert.deepEqual(readdirSync(dumps), ['iptables.nft.v4.save', 'iptables.v6.save', 'nft.txt']);
    assert.equal(readFileSync(join(dumps, 'iptables.nft.v4.save'), 'utf8'), '*nat\n');
    const errors = readFileSync(join(folder, 'out/errors.txt'), 'utf8');
    assert.match(errors, /^dumps\/nft\.txt: failed: nft list ruleset\ndumps\/nft\.txt: broken$/m);
    assert.match(errors, /^dumps\/ipset\.save: ipset is not installed$/m);
    assert.match(
      readFileSync(join(folder, 'out/cluster/services.json'), 'utf8'),
      /^--request-timeout=60s get services -A -o json/,
    );
    assert.equal(statSync(join(folder, 'out')).mode & 0o077, 0);
    assert.equal(statSync(join(folder, 'out.tar.gz')).mode & 0o077, 0);
    const listed = spawnSync('tar', ['-tzf', join(folder, 'out.tar.gz')], { encoding: 'utf8' }).stdout;
    assert.match(listed, /^out\/dumps\/iptables\.nft\.v4\.save$/m);
  });

  it('writes into nothing that is there', () => {
    mkdirSync(join(folder, 'mine'));
    const { status, stderr } = collect('mine');
    assert.equal(status, 1);
    assert.match(stderr, /mine is there already/);
    assert.deepEqual(readdirSync(join(folder, 'mine')), []);
  });

  it('takes any name for a folder', () => {
    assert.equal(collect("-a b'c").status, 0);
    assert.ok(existsSync(join(folder, "-a b'c/dumps")));
  });
});
