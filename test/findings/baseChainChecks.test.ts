import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { baseChainChecks } from '../../src/findings/checks/chains/baseChainChecks.ts';

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
    assert.equal(finding.code, 'K8N604');
    return finding.found.map(({ file, line }) => `${file}:${line}`).join();
  });
}

describe('tables of nft that drop what is forwarded', () => {
  it('are named beside kube-proxy’s rules of either kind', () => {
    assert.deepEqual(places(proxy + forward('drop')), ['file0:10']);
    const save = '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\nCOMMIT\n';
    assert.deepEqual(places(save, forward('drop')), ['file1:5']);
  });

  it('come with the command for their chain, or for FORWARD of iptables', () => {
    const fixes = (text: string) =>
      baseChainChecks(readDumps([{ name: 'file', text }], { name: 'node' })).map(({ finding }) => finding.fix);
    assert.match(
      fixes(proxy + forward('drop'))[0] ?? '',
      /`nft insert rule inet firewall fwd ip saddr POD-RANGE accept`/,
    );
    const hostile = (proxy + forward('drop')).replace('chain fwd', 'chain "fwd;reboot"');
    for (const fix of fixes(hostile)) assert.doesNotMatch(fix, /reboot/);
    const save = '*filter\n:FORWARD DROP [0:0]\nCOMMIT\n';
    const both = readDumps(
      [
        { name: 'a', text: proxy },
        { name: 'b.save', text: save },
      ],
      { name: 'node' },
    );
    assert.match(baseChainChecks(both)[0]?.finding.fix ?? '', /`iptables -I FORWARD -s POD-RANGE -j ACCEPT`/);
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

  it('are named where all that is left is refused at the end', () => {
    const inner = (rules: readonly string[]) => `table inet firewall {
	chain fwd {
		type filter hook forward priority filter; policy accept;
		ct state established,related accept
		ct status dnat accept
		jump zones
		counter packets 0 bytes 0 reject with icmpx admin-prohibited
	}
	chain zones {
		iifname "lo" accept
		jump public
	}
	chain public {
		jump zones
${rules.map((rule) => `\t\t${rule}\n`).join('')}	}
}
`;
    assert.deepEqual(places(proxy + inner([])), ['file0:7']);
    assert.deepEqual(places(proxy + inner(['ct state established accept'])), ['file0:7']);
    assert.deepEqual(places(proxy + inner(['tcp dport 22 ct state new accept'])), []);
    assert.deepEqual(places(proxy + inner(['jump elsewhere'])), []);
    assert.deepEqual(places(proxy + inner(['ip daddr 10.0.0.1 goto cali-FORWARD'])), []);
    assert.deepEqual(places(proxy + forward('accept', ['tcp dport 22 drop'])), []);
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
