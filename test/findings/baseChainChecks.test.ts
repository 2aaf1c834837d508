import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { baseChainChecks } from '../../src/findings/checks/baseChainChecks.ts';

const proxy = `table ip kube-proxy {
	chain services {
		counter packets 0 bytes 0
	}
}
`;

const forward = (policy: string, rules: readonly string[] = []) => `table inet firewall {
	chain in {
		type filter hook input priority filter; policy drop;
	}
	chain fwd {
		type filter hook forward priority filter; policy ${policy};
${rules.map((rule) => `\t\t${rule}\n`).join('')}	}
}
`;

function places(...texts: readonly string[]): readonly string[] {
  const dump = readDumps(
    texts.map((text, at) => ({ name: `file${at}`, text })),
    { name: 'node' },
  );
  assert.deepEqual(dump.unread, []);
  return baseChainChecks(dump).map(({ finding }) => {
    assert.equal(finding.id, 'K8N604');
    return finding.found.map(({ file, line }) => `${file}:${line}`).join();
  });
}

describe('tables of nft that drop what is forwarded', () => {
  it('are named beside kube-proxy’s rules of either kind', () => {
    assert.deepEqual(places(proxy + forward('drop')), ['file0:10']);
    const save = '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\nCOMMIT\n';
    assert.deepEqual(places(save, forward('drop')), ['file1:5']);
  });

  it('are not named where they accept, or where nothing is of kube-proxy', () => {
    assert.deepEqual(places(proxy + forward('accept')), []);
    assert.deepEqual(places(forward('drop')), []);
    assert.deepEqual(places(proxy + forward('drop', ['ip daddr 10.244.0.0/16 accept'])), []);
    assert.deepEqual(places(proxy + forward('drop', ['jump cali-FORWARD'])), []);
  });

  it('are named though replies and other devices pass', () => {
    const rules = ['ct state established,related accept', 'iifname "docker0" accept'];
    assert.deepEqual(places(proxy + forward('drop', rules)), ['file0:10']);
  });

  it('may be those of iptables, in nftables mode', () => {
    const listed = `# Warning: table ip filter is managed by iptables-nft, do not touch!
table ip filter {
	chain FORWARD {
		type filter hook forward priority filter; policy drop;
		counter packets 0 bytes 0 jump DOCKER-USER
	}
	chain DOCKER-USER {
	}
}
`;
    assert.deepEqual(places(proxy, listed), ['file1:3']);
    const save = '*filter\n:FORWARD DROP [0:0]\n:DOCKER-USER - [0:0]\n-A FORWARD -j DOCKER-USER\nCOMMIT\n';
    assert.deepEqual(places(proxy, save), ['file1:2']);
    assert.deepEqual(places(proxy, listed, save), ['file2:2']);
    assert.deepEqual(places(save), []);
    const open = save.replace('-j DOCKER-USER', '-s 10.244.0.0/16 -j ACCEPT');
    assert.deepEqual(places(proxy, open), []);
  });
});
