import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { looksLike } from '../../src/dump/paste/looksLike.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';

const read = (text: string) => readDumps([{ name: 'paste.txt', text }], { name: 'n' });
const canon = (text: string) => {
  const node = read(text);
  assert.deepEqual(node.unread, []);
  return [...canonicalText(node)].join('');
};

const save = `*nat
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-TCOU7JCQXEZGVUNU - [0:0]
:KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A KUBE-SERVICES -d 10.96.0.10/32 -p udp -m comment --comment "kube-system/kube-dns:dns cluster IP" -m udp --dport 53 -j KUBE-SVC-TCOU7JCQXEZGVUNU
-A KUBE-SVC-TCOU7JCQXEZGVUNU -m comment --comment "kube-system/kube-dns:dns" -j KUBE-SEP-AAAAAAAAAAAAAAAA
-A KUBE-SEP-AAAAAAAAAAAAAAAA -p udp -m udp -j DNAT --to-destination 10.244.0.2:53
COMMIT
`;
const nft = readFileSync('fixtures/nft/listings/list-ruleset.txt', 'utf8');
const ipvs = `IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  10.96.0.10:53 rr
  -> 10.244.0.2:53                Masq    1      0          0
  -> 10.244.0.3:53                Masq    1      0          0
UDP  10.96.0.10:53 rr persistent 10800
  -> 10.244.0.2:53                Masq    1      0          0
`;

const eachLine = (how: (line: string, at: number) => string) => (text: string) =>
  text
    .split('\n')
    .map((line, at) => (line === '' ? line : how(line, at)))
    .join('\n');

/** What terminals, mails, editors, logs and patches make of a text. */
const wrappings: Readonly<Record<string, (text: string) => string>> = {
  'Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
  'quote marks': eachLine((line) => `> ${line}`),
  'two levels of quote marks': eachLine((line) => `> > ${line}`),
  'a patch': eachLine((line) => `+${line}`),
  'line numbers': eachLine((line, at) => `${String(at + 1).padStart(5)}\t${line}`),
  'line numbers with a colon': eachLine((line, at) => `${at + 1}: ${line}`),
  'a border': eachLine((line) => `│ ${line}`),
  'the seconds of a log': eachLine((line) => `[14.41] : ${line}`),
  'times of a log': eachLine((line) => `2024-03-01T10:11:12.123Z ${line}`),
  colours: eachLine((line) => `\u001B[32m${line}\u001B[0m`),
  'a JSON string': (text) =>
    `"${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('"', '\\"')}"`,
  'a fence': (text) => `\`\`\`\n${text}\`\`\`\n`,
  'an indentation': eachLine((line) => `    ${line}`),
};

for (const [name, wrap] of Object.entries(wrappings)) {
  for (const [kind, text] of Object.entries({ 'iptables-save': save, 'nft list ruleset': nft, 'ipvsadm -Ln': ipvs })) {
    test(`${kind} in ${name} is read as it was printed`, () => {
      assert.equal(canon(wrap(text)), canon(text));
    });
  }
}

test('a prompt before the text says nothing, that of busybox neither', () => {
  assert.equal(canon(`root@n1:~# nft list ruleset\n${nft}root@n1:~# `), canon(nft));
  assert.equal(canon(`/ # iptables-save\n${save}/ # `), canon(save));
  assert.equal(canon(`~ # iptables-save\n${save}`), canon(save));
});

test('services and servers of ipvsadm are read without their headings', () => {
  const bare = ipvs.split('\n').slice(3).join('\n');
  assert.equal(canon(bare), canon(ipvs));
  assert.equal(canon(bare.replace(/^ +/gm, '')), canon(ipvs));
  assert.equal(canon(ipvs.split('\n').slice(1).join('\n')), canon(ipvs));
});

test('chains and maps of nft without the line of their table are kube-proxy’s, and a piece', () => {
  const lines = nft.split('\n');
  const piece = lines.slice(1, lines.indexOf('}')).join('\n');
  const { nft: sets, unread } = read(piece);
  assert.deepEqual(unread, []);
  const table = sets[0]?.tables.get('ip kube-proxy');
  assert.equal(table?.isWhole, false);
  const whole = read(nft).nft[0]?.tables.get('ip kube-proxy');
  assert.ok((whole?.chains.size ?? 0) > 10);
  assert.equal(table?.chains.size, whole?.chains.size);
});

for (const width of [80, 100, 120]) {
  test(`lines that a terminal broke after ${width} columns are put together`, () => {
    const broken = save
      .split('\n')
      .map((line) => line.replace(new RegExp(`(.{${width}})(?=.)`, 'g'), '$1\n'))
      .join('\n');
    assert.notEqual(broken, save);
    assert.equal(canon(broken), canon(save));
  });
}

test('a row of iptables -L that a terminal broke is put together', () => {
  const listing = [
    'Chain KUBE-SERVICES (2 references)',
    'target     prot opt source               destination         ',
    'RETURN     all  --  anywhere             anywhere            ',
    'KUBE-SVC-TCOU7JCQXEZGVUNU  udp  --  anywhere             10.96.0.10           /* kube-sys',
    'tem/kube-dns:dns cluster IP */ udp dpt:domain',
  ].join('\n');
  assert.match(
    canon(listing),
    /-d 10\.96\.0\.10\/32 -p udp -m comment --comment "kube-system\/kube-dns:dns cluster IP" -m udp --dport 53 -j KUBE-SVC-TCOU7JCQXEZGVUNU/,
  );
});

test('talk behind a rule is not taken for the rest of it', () => {
  const { unread, iptables } = read(`${save.replace('COMMIT\n', '')}HERE\nCOMMIT\n`);
  assert.equal(unread.length, 1);
  assert.match(
    [...(iptables[0]?.tables.get('nat')?.chains.values() ?? [])].map(({ text }) => text).join('\n'),
    /10\.244\.0\.2:53$/,
  );
});

const looks: Readonly<Record<string, RegExp>> = {
  'apiVersion: v1\nkind: Service\n': /Kubernetes objects/,
  'NAME         TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE\n': /kubectl get/,
  'iptables v1.8.7 (nf_tables): Could not fetch rule set generation id: Permission denied (you must be root)\n': /root/,
  'bash: ipvsadm: command not found\n': /did not find/,
  'Kernel IP routing table\nDestination     Gateway         Genmask\n': /route -n/,
  'Module                  Size  Used by\nip_vs 1 0\n': /lsmod/,
  'ACCEPT  all  --  anywhere  anywhere\n': /iptables -L/,
  '\t\tmeta l4proto tcp drop\n': /nft text/,
  '  -> 10.244.0.2:53  Masq 1 0 0\n': /ipvsadm/,
};

for (const [text, what] of Object.entries(looks)) {
  test(`${JSON.stringify(text)} is named for what it looks like`, () => {
    assert.match(looksLike(text)?.what ?? '', what);
  });
}

test('what shells and kubectl say around a dump is passed over in silence', () => {
  const around = [
    '[sudo] password for bob: ',
    'Defaulted container "kube-proxy" out of: kube-proxy, init (init)',
    "Warning: Permanently added 'node1,10.0.0.1' (ECDSA) to the list of known hosts.",
  ];
  assert.equal(canon(`${around.join('\n')}\n${save}Connection to node1 closed.\n`), canon(save));
});
