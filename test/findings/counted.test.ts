import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { missingModules } from '../../src/findings/checks/node/missingModules.ts';

const found = (...texts: readonly string[]) => {
  const dump = readDumps(
    texts.map((text, at) => ({ name: `dump${at}`, text })),
    { name: 'n' },
  );
  assert.deepEqual(dump.unread, []);
  return diagnoseDump(dump).findings;
};
const seen = (id: string, ...texts: readonly string[]) =>
  found(...texts).flatMap((finding) => (finding.code === id ? `${finding.severity} ${finding.what}` : []));

const nat = (...rules: readonly string[]) => `*nat
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
:KUBE-MARK-DROP - [0:0]
:KUBE-POSTROUTING - [0:0]
:KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]
:KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
${rules.map((rule) => `${rule}\n`).join('')}-A KUBE-POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE
-A KUBE-SEP-AAAAAAAAAAAAAAAA -s 10.244.1.5/32 -m comment --comment d/web -j KUBE-MARK-MASQ
-A KUBE-SEP-AAAAAAAAAAAAAAAA -p tcp -m comment --comment d/web -m tcp -j DNAT --to-destination 10.244.1.5:80
-A KUBE-SEP-BBBBBBBBBBBBBBBB -s 10.244.2.5/32 -m comment --comment d/web -j KUBE-MARK-MASQ
-A KUBE-SEP-BBBBBBBBBBBBBBBB -p tcp -m comment --comment d/web -m tcp -j DNAT --to-destination 10.244.2.5:80
-A KUBE-SERVICES -d 10.96.0.7/32 -p tcp -m comment --comment "d/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA
-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment d/web -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-AAAAAAAAAAAAAAAA
-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment d/web -j KUBE-SEP-BBBBBBBBBBBBBBBB
COMMIT
`;
const filter = (policy: string, ...rules: readonly string[]) => `*filter
:INPUT ACCEPT [0:0]
:FORWARD ${policy}
:OUTPUT ACCEPT [0:0]
:KUBE-FIREWALL - [0:0]
-A INPUT -j KUBE-FIREWALL
${rules.map((rule) => `${rule}\n`).join('')}COMMIT
`;

describe('policy DROP of FORWARD', () => {
  const drop = 'DROP [12345:67890]';

  it('is named on nodes before 1.9, whose kube-proxy leaves FORWARD alone, and what it dropped is a proven loss', () => {
    assert.deepEqual(seen('K8N504', nat() + filter(drop)), [
      'error the policy of FORWARD is DROP and has dropped 12,345 packets: packets to Pods are lost',
    ]);
    assert.deepEqual(seen('K8N504', nat() + filter('DROP [0:0]')), [
      'error the policy of FORWARD is DROP: packets to Pods are lost',
    ]);
    assert.deepEqual(seen('K8N504', nat() + filter('ACCEPT [12345:67890]')), []);
    assert.deepEqual(seen('K8N504', nat() + filter(drop, '-A FORWARD -s 10.244.0.0/16 -j ACCEPT')), []);
    // Nothing says that kube-proxy has to do with this host.
    assert.deepEqual(seen('K8N504', filter(drop).replaceAll('KUBE-FIREWALL', 'MINE')), []);
  });

  it('counts in every form that shows it', () => {
    const rules = '-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD';
    const text = /DROP and has dropped 12,000 packets: packets to Pods that carry no mark are lost/;
    for (const form of [
      `-P FORWARD DROP -c 12000 67890\n${rules}\n`,
      `Chain FORWARD (policy DROP 12K packets, 67890 bytes)
 pkts bytes target     prot opt in     out     source               destination
    3   180 KUBE-FORWARD  all  --  *      *       0.0.0.0/0            0.0.0.0/0            /* kubernetes forwarding rules */
`,
    ]) {
      assert.match(seen('K8N504', form)[0] ?? '', text);
    }
    assert.deepEqual(seen('K8N504', `-P FORWARD DROP\n${rules}\n`), [
      'error the policy of FORWARD is DROP: packets to Pods that carry no mark are lost',
    ]);
  });

  it('has a remedy for its own table and family', () => {
    const fixes = (text: string) =>
      found(text)
        .filter(({ code }) => code === 'K8N504')
        .map(({ fix }) => fix);
    assert.match(fixes(nat() + filter(drop))[0] ?? '', /^`iptables -P FORWARD ACCEPT`/);
    const mangle = '*mangle\n:FORWARD DROP [0:0]\nCOMMIT\n';
    assert.deepEqual(fixes(nat() + filter('ACCEPT [0:0]') + mangle), ['`iptables -t mangle -P FORWARD ACCEPT`.']);
    const behind = fixes(nat() + filter('ACCEPT [0:0]', '-A FORWARD -j KUBE-FORWARD', '-A FORWARD -j REJECT'))[0] ?? '';
    assert.match(behind, /before it: `iptables -I FORWARD -s POD-RANGE -j ACCEPT`/);
    assert.doesNotMatch(behind, /-P FORWARD/);
  });

  it('is told of a refusal behind KUBE-FORWARD too, unless something before it may accept', () => {
    const refused = (...rules: readonly string[]) =>
      seen('K8N504', nat() + filter('ACCEPT [0:0]', '-A FORWARD -j KUBE-FORWARD', ...rules)).length > 0;
    const end = '-A FORWARD -j REJECT --reject-with icmp-host-prohibited';
    assert.ok(refused(end));
    assert.ok(refused('-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT', end));
    assert.ok(!refused('-A FORWARD -s 10.244.0.0/16 -j ACCEPT', end));
    assert.ok(!refused('-A FORWARD -j MINE', end, '-A MINE -j INNER', '-A INNER -s 10.244.0.0/16 -j ACCEPT'));
    assert.ok(!refused('-A FORWARD -j cali-FORWARD', end));
    assert.ok(!refused('-A FORWARD -i br0 -j REJECT'));
    assert.ok(!refused('-A FORWARD -p icmp -j DROP'));
  });

  it('is not told of IPv6 where no Service has such an address', () => {
    const told = (rule: string) =>
      seen(
        'K8N504',
        `# Generated by ip6tables-save v1.8.7 on Mon Jan  1 00:00:00 2024
*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]
-A PREROUTING -j KUBE-SERVICES
${rule}
COMMIT
*filter
:FORWARD DROP [0:0]
:KUBE-FORWARD - [0:0]
-A FORWARD -j KUBE-FORWARD
COMMIT
`,
      ).length > 0;
    assert.ok(!told('-A KUBE-SERVICES ! -d ::1/128 -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS'));
    assert.ok(told('-A KUBE-SERVICES -d fd00:10:96::1/128 -p tcp -m tcp --dport 443 -j KUBE-SVC-AAAAAAAAAAAAAAAA'));
  });

  it('is milder where the table was cut, and unknown where lines were left out', () => {
    const listed = `-P FORWARD DROP
-A FORWARD -j DOCKER-USER
-A FORWARD -j DOCKER-INGRESS
-A FORWARD -j KUBE-FORWARD
-A FORWARD -j KUBE-SERVICES
`;
    assert.match(
      seen('K8N504', listed)[0] ?? '',
      /^warning .*, unless a rule that the dump does not show accepts them$/,
    );
    assert.deepEqual(seen('K8N504', `${nat()}*filter\n:INPUT ACCEPT [0:0]\n:FORWARD DROP [0:0]\n`), []);
    assert.deepEqual(seen('K8N504', nat() + filter(drop).replace('-A INPUT', '...\n-A INPUT')), []);
  });
});

describe('Pod-to-Pod masquerading behind KUBE-POSTROUTING', () => {
  const named = (...rules: readonly string[]) => seen('K8N411', nat(...rules)).length > 0;

  it('is named where a rule leaves Pods out of nothing', () => {
    assert.ok(named('-A POSTROUTING -s 10.244.0.0/16 -j MASQUERADE'));
    assert.ok(named('-A POSTROUTING -s 10.244.1.0/24 ! -o docker0 -j MASQUERADE'));
    assert.ok(named('-A POSTROUTING -s 10.244.0.0/16 ! -d 224.0.0.0/4 -j SNAT --to-source 192.0.2.1'));
    assert.ok(named('-A POSTROUTING -j MINE', '-A MINE -s 10.244.0.0/16 -j MASQUERADE'));
    assert.match(
      seen('K8N411', nat('-A POSTROUTING -s 10.244.0.0/16 -j MASQUERADE'))[0] ?? '',
      /^warning what 10\.244\.\S+ sends to 10\.244\./,
    );
  });

  it('is not where the packet is let go before, or is no Pod’s', () => {
    assert.ok(!named());
    assert.ok(!named('-A POSTROUTING -s 10.244.0.0/16 ! -d 10.244.0.0/16 -j MASQUERADE'));
    assert.ok(!named('-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE'));
    assert.ok(
      !named(
        '-A POSTROUTING -s 10.244.0.0/16 -d 10.244.0.0/16 -j RETURN',
        '-A POSTROUTING -s 10.244.0.0/16 ! -d 224.0.0.0/4 -j MASQUERADE',
      ),
    );
    assert.ok(!named('-A POSTROUTING -s 10.244.0.0/16 -o eth0 -j MASQUERADE'));
    assert.ok(!named('-A POSTROUTING -m set --match-set pods src -m set ! --match-set pods dst -j MASQUERADE'));
    assert.ok(
      !named(
        '-A POSTROUTING -m addrtype ! --dst-type LOCAL -j IP-MASQ',
        '-A IP-MASQ -d 10.0.0.0/8 -j RETURN',
        '-A IP-MASQ -j MASQUERADE',
      ),
    );
  });
});

describe('a mark that drops packets', () => {
  const counted = (dropped: number, marked: number, more = '') =>
    seen(
      'K8N412',
      `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-MARK-DROP - [0:0]
:KUBE-SERVICES - [0:0]
[${marked}:60] -A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000
COMMIT
${more}*filter
:INPUT ACCEPT [0:0]
:KUBE-FIREWALL - [0:0]
[9:60] -A INPUT -j KUBE-FIREWALL
[${dropped}:60] -A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP
COMMIT
`,
    );

  it('is named where no rule has set it', () => {
    assert.deepEqual(counted(4711, 0), [
      'warning KUBE-FIREWALL has dropped 4711 packets with the mark 0x8000, and no rule of the dump has set it',
    ]);
    assert.deepEqual(counted(4711, 12), [
      'warning KUBE-FIREWALL has dropped 4711 packets with the mark 0x8000, and rules of the dump have set it on 12',
    ]);
  });

  it('is not where rules have set it on what was dropped, or nothing was', () => {
    assert.deepEqual(counted(12, 12), []);
    assert.deepEqual(counted(0, 0), []);
    const others =
      '*mangle\n:PREROUTING ACCEPT [0:0]\n[4711:9] -A PREROUTING -i tun0 -j MARK --set-xmark 0x8000/0x8000\nCOMMIT\n';
    assert.deepEqual(counted(4711, 0, others), []);
  });
});

it('iptables’ warning of legacy tables is a finding', () => {
  const warning = '# Warning: iptables-legacy tables present, use iptables-legacy-save to see them\n';
  assert.match(seen('K8N103', nat() + warning)[0] ?? '', /^warning iptables warns that tables of iptables-legacy/);
});

describe('settings of the kernel', () => {
  const ofKernel = (...texts: readonly string[]) =>
    found(nat(), ...texts).filter(({ code }) => /^K8N(?:51[4-7]|706)$/.test(code));
  const sysctl = (text: string) => ofKernel(text).map(({ code, severity, what }) => `${code} ${severity} ${what}`);
  const bridge =
    '4: veth1@eth0: <BROADCAST,UP> mtu 1500 master cni0 state forwarding priority 32 cost 2\n    hairpin on veth addrgenmode eui64\n';

  it('are named where they keep rules from working', () => {
    assert.deepEqual(sysctl('net.ipv4.ip_forward = 0\n'), ['K8N514 error net.ipv4.ip_forward is 0']);
    assert.deepEqual(sysctl('net.bridge.bridge-nf-call-iptables = 0\n'), [
      'K8N515 warning net.bridge.bridge-nf-call-iptables is 0; it matters where Pods are ports of a bridge',
    ]);
    assert.deepEqual(sysctl('net.ipv4.conf.all.rp_filter = 1\n'), ['K8N516 info net.ipv4.conf.all.rp_filter is 1']);
    const conntrack = (count: number) =>
      sysctl(`net.netfilter.nf_conntrack_max = 262144\nnet.netfilter.nf_conntrack_count = ${count}\n`);
    assert.deepEqual(conntrack(262144), ['K8N517 error 262144 of at most 262144 connections are tracked']);
    assert.deepEqual(conntrack(260000), ['K8N517 warning 260000 of at most 262144 connections are tracked']);
    assert.deepEqual(conntrack(2600), []);
    assert.match(sysctl('net.netfilter.nf_conntrack_max = 65536\n')[0] ?? '', /^K8N517 info .* at least 131072/);
  });

  it('are not where they are as they should be', () => {
    const good = `net.ipv4.ip_forward = 1
net.ipv6.conf.all.forwarding = 0
net.bridge.bridge-nf-call-iptables = 1
net.bridge.bridge-nf-call-ip6tables = 0
net.ipv4.conf.all.rp_filter = 2
net.netfilter.nf_conntrack_max = 262144
net.ipv4.vs.conntrack = 0
`;
    assert.deepEqual(sysctl(good), []);
  });

  it('say that br_netfilter is not loaded where Pods are on a bridge', () => {
    const text = ['ip_forward', 'conf.all.route_localnet', 'conf.all.arp_ignore', 'conf.all.arp_announce', 'a', 'b']
      .map((name) => `net.ipv4.${name} = 1\n`)
      .join('');
    const ids = (...texts: readonly string[]) => ofKernel(...texts).map(({ code, severity }) => `${code} ${severity}`);
    assert.deepEqual(ids(text, bridge), ['K8N515 error']);
    assert.deepEqual(ids(text), []);
    assert.deepEqual(ids('net.ipv4.ip_forward = 1\n', bridge), []);
  });

  it('of IPVS count on nodes in IPVS mode', () => {
    const ipvs = '-A -t 10.96.0.7:80 -s rr\n-a -t 10.96.0.7:80 -r 10.244.1.5:80 -m -w 1\n';
    const all = found(ipvs, 'net.ipv4.vs.conntrack = 0\n').map(({ code }) => code);
    assert.deepEqual(all, ['K8N706']);
    const keepalived = '-A -t 10.0.0.9:6443 -s wlc\n-a -t 10.0.0.9:6443 -r 10.0.0.1:6443 -g -w 1\n';
    for (const rules of [keepalived, `${nat()}\n# other\n${ipvs}`]) {
      assert.ok(found(rules, 'net.ipv4.vs.conntrack = 0\n').every(({ code }) => code !== 'K8N706'));
    }
  });
});

describe('TCP connections that nobody answers', () => {
  const flow = (to: string, destination = '10.96.0.7', port = 80) =>
    `tcp      6 98 SYN_SENT src=10.244.1.9 dst=${destination} sport=40000 dport=${port} [UNREPLIED] src=${to.split(':')[0]} dst=10.244.1.9 sport=${to.split(':')[1]} dport=40000 mark=0 use=1\n`;

  it('are named where they wait for no endpoint, or were not translated', () => {
    assert.deepEqual(seen('K8N513', nat(), flow('10.244.3.9:80')), [
      'warning 1 connection to 10.96.0.7:80 waits for 10.244.3.9:80, which is not an endpoint',
    ]);
    assert.deepEqual(seen('K8N513', nat(), flow('10.96.0.7:80')), [
      'warning 1 connection to 10.96.0.7:80 was not translated, although there are 2 endpoints: nothing answers',
    ]);
    assert.match(seen('K8N513', nat(), flow('10.244.1.5:80'))[0] ?? '', /^info .* for the endpoint 10\.244\.1\.5:80/);
  });

  it('are not where they go to no Service, or were answered', () => {
    assert.deepEqual(seen('K8N513', nat(), flow('192.0.2.7:443', '192.0.2.7', 443)), []);
    assert.deepEqual(
      seen('K8N513', nat(), flow('10.244.3.9:80').replace('[UNREPLIED] ', '').replace('SYN_SENT', 'ESTABLISHED')),
      [],
    );
  });
});

describe('IPVS mode that kube-proxy did not get', () => {
  const lsmod = (names: readonly string[]) =>
    `Module                  Size  Used by\n${names.map((name) => `${name} 16384 0\n`).join('')}`;
  const asked = (mode: string, ...texts: readonly string[]) =>
    missingModules(
      { model: { config: { mode, ipvs: { scheduler: 'lc' } } } } as Parameters<typeof missingModules>[0],
      readDumps(
        texts.map((text, at) => ({ name: `${at}`, text })),
        { name: 'n' },
      ),
    ).map(({ code, what }) => `${code} ${what}`);

  it('is named with the modules that are not loaded', () => {
    const [finding] = asked('ipvs', nat(), lsmod(['ip_vs', 'ip_vs_rr', 'nf_conntrack']));
    assert.match(
      finding ?? '',
      /^K8N707 .*\(KUBE-S[VE][CP]-\w+\).*; not in the list of modules: ip_vs_wrr, ip_vs_sh, ip_vs_lc$/,
    );
    assert.match(asked('ipvs', nat())[0] ?? '', /nothing of IPVS$/);
    // A part of a list says of no module that it is not there.
    assert.match(asked('ipvs', nat(), 'ip_vs 16384 0\n')[0] ?? '', /nothing of IPVS$/);
  });

  it('is not where IPVS is, was not asked for, or cannot be told', () => {
    const ipvs = '-A -t 10.96.0.7:80 -s rr\n-a -t 10.96.0.7:80 -r 10.244.1.5:80 -m -w 1\n';
    assert.deepEqual(asked('iptables', nat(), lsmod([])), []);
    assert.deepEqual(asked('ipvs', nat(), ipvs), []);
    assert.deepEqual(
      asked('ipvs', nat().replace(':KUBE-MARK-DROP', ':KUBE-LOAD-BALANCER - [0:0]\n:KUBE-MARK-DROP')),
      [],
    );
    assert.deepEqual(asked('ipvs', '*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n', lsmod([])), []);
    assert.deepEqual(
      asked(
        'ipvs',
        nat()
          .split('\n')
          .filter((line) => line.startsWith('-A'))
          .join('\n'),
      ),
      [],
    );
  });
});
