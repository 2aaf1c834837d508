import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IpvsState } from '../../../src/netfilter/ipvs/ast.ts';
import { printListing } from '../../../src/netfilter/ipvs/listing.ts';
import { parseIpvs } from '../../../src/netfilter/ipvs/parseIpvs.ts';
import { printIpvs } from '../../../src/netfilter/ipvs/printIpvs.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const captured = (name: string) => readFileSync(join(fixtures, 'netfilter-ipvs/captured', name), 'utf8');

/** What is read of a text, and `line: word: message` of each problem. */
function read(text: string): { readonly state: IpvsState; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const state = parseIpvs(text, ({ line, word, message }) => problems.push(`${line}: ${word}: ${message}`));
  return { state, problems };
}

const saved = (state: IpvsState) => [...printIpvs(state)].join('');
const listed = (state: IpvsState) => [...printListing(state)].join('');
const lines = (text: string) => text.split('\n').sort();

test('what ipvsadm -Sn printed is read and printed back as it is', () => {
  const text = captured('ipvsadm-Sn.txt');
  const { state, problems } = read(text);
  assert.deepEqual(problems, []);
  assert.equal(saved(state), text);
});

test('what ipvsadm -Ln printed is the same state, and is printed back but for the connections', () => {
  const text = captured('ipvsadm-Ln.txt');
  const { state, problems } = read(text);
  assert.deepEqual(problems, []);
  assert.deepEqual(lines(saved(state)), lines(captured('ipvsadm-Sn.txt')));
  assert.equal(listed(state), text.replace(/\d+ +\d+ +$/gm, `${'0'.padEnd(10)} ${'0'.padEnd(10)}`));
  const unsorted = read(captured('ipvsadm-Ln-nosort.txt'));
  assert.deepEqual(unsorted.problems, []);
  assert.deepEqual(lines(saved(unsorted.state)), lines(captured('ipvsadm-Sn.txt')));
});

for (const option of ['stats', 'rate', 'thresholds', 'persistent-conn']) {
  test(`ipvsadm -Ln --${option} shows services and servers, and none of their settings`, () => {
    const { state, problems } = read(captured(`ipvsadm-Ln-${option}.txt`));
    assert.deepEqual(problems, []);
    const whole = read(captured('ipvsadm-Sn.txt')).state;
    const addresses = ({ services }: typeof state) =>
      services.map(({ address, servers }) => ({ address, servers: servers.map(({ ip, port }) => `${ip} ${port}`) }));
    assert.deepEqual(addresses(state), addresses(whole));
    assert.ok(state.services.every(({ isCounted }) => isCounted));
    const both = read(`${captured(`ipvsadm-Ln-${option}.txt`)}\n${captured('ipvsadm-Ln.txt')}`);
    assert.deepEqual(both.problems, []);
    assert.deepEqual(lines(saved(both.state)), lines(captured('ipvsadm-Sn.txt')));
  });
}

test('flags and kinds of servers that kube-proxy never makes', () => {
  const save = `-A -t 10.96.0.6:80 -s rr -p 10800 -M 255.255.255.0
-A -t 10.96.0.14:80 -s sh -b sh-fallback,sh-port
-A -t 10.96.0.16:80 -s wlc -b flag-1,flag-2,flag-3
-A -u 10.96.0.11:53 -s rr -p 300 -o
-A -u 10.96.0.12:5060 -s rr -p 600 --pe sip
-A --sctp-service 10.96.0.18:3868 -s rr
-a --sctp-service 10.96.0.18:3868 -r 10.244.1.1:3868 -m -w 1
-A -t 10.96.0.1:443 -s rr
-a -t 10.96.0.1:443 -r 10.244.1.7:443 -g -w 1
-a -t 10.96.0.1:443 -r 10.244.1.9:443 -i -w 1 --tun-type ipip
-a -t 10.96.0.1:443 -r 10.244.1.10:443 -i -w 1 --tun-type gue --tun-port 6080 --tun-nocsum
-A -t [fd00:10:96::3]:443 -s rr -p 10800 -M 64
-A -f 100 -s wrr
-a -f 100 -r 10.244.1.1:0 -m -w 2
-A -f 200 -6 -s rr
`;
  const { state, problems } = read(save);
  assert.deepEqual(problems, []);
  assert.equal(saved(state), save);
  const list = `IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  10.96.0.6:80 rr persistent 10800 mask 255.255.255.0
TCP  10.96.0.14:80 sh (sh-fallback,sh-port)
TCP  10.96.0.16:80 wlc (flag-1,flag-2,flag-3)
UDP  10.96.0.11:53 rr persistent 300 ops
UDP  10.96.0.12:5060 rr persistent 600 pe sip
SCTP 10.96.0.18:3868 rr
  -> 10.244.1.1:3868              Masq    1      0          0         
TCP  10.96.0.1:443 rr
  -> 10.244.1.7:443               Route   1      0          0         
  -> 10.244.1.9:443               Tunnel  1      0          0         
  -> 10.244.1.10:443              Tunnel  1      0          0         
TCP  [fd00:10:96::3]:443 rr persistent 10800 mask 64
FWM  100 wrr
  -> 10.244.1.1:0                 Masq    2      0          0         
FWM  200 IPv6 rr
`;
  assert.equal(listed(state), list);
  const again = read(list);
  assert.deepEqual(again.problems, []);
  assert.equal(saved(again.state), save.replace('--tun-type gue --tun-port 6080 --tun-nocsum', '--tun-type ipip'));
});

test('a list as people paste it: prompts, lost blanks, wrapped columns, unread lines', () => {
  const { state, problems } = read(`[root@k8s-master ~]# ipvsadm -Ln\r
IP Virtual Server version 1.2.1 (size=4096)\r
Prot LocalAddress:Port Scheduler Flags\r
-> RemoteAddress:Port Forward Weight ActiveConn InActConn\r
TCP 10.96.0.10:53 rr persistent\r
10800
-> 10.244.0.2:53 Masq 1 0
0
TCP  10.96.0.1:https rr
TCP  node-1:http rr
  -> 10.244.0.3:80    Mask    1      0          0
hello
  -> 10.244.0.4:8443    Masq    1      0          0
[root@k8s-master ~]#
TCP  10.96.0.1:443 rr
`);
  assert.equal(
    saved(state),
    `-A -t 10.96.0.10:53 -s rr -p 10800
-a -t 10.96.0.10:53 -r 10.244.0.2:53 -m -w 1
-A -t 10.96.0.1:443 -s rr
`,
  );
  assert.deepEqual(problems, [
    '10: TCP: no service of ipvsadm -Ln (without -n names are shown)',
    '11: ->: no server of ipvsadm -Ln (without -n names are shown)',
    '12: hello: no line of ipvsadm -Ln',
    '13: ->: a server without its service',
    '15: addService: Service already exists',
  ]);
});

test('what ipvsadm -R takes: any command, any order, long options', () => {
  const { state, problems } = read(`# ipvsadm -Sn
-C
--set 900 0 300
--set 0 120 0
ipvsadm --add-service --tcp-service=10.96.0.1:443 --scheduler rr --persistent --netmask=24
-a -r 10.244.0.2 -t 10.96.0.1:443 -m -x 10 -y 5
-a -t 10.96.0.1:443 -r 10.244.0.3:6443
-a -t 10.96.0.1:443 -r 10.244.0.4:6443 -m
-e -t 10.96.0.1:443 -r 10.244.0.4:6443 -m -w 0
-d -t 10.96.0.1:443 -r 10.244.0.3:443
-A -u [FD00:0::1]:domain
-E -u [fd00::1]:53 -s mh -b mh-port,mh-fallback
-A -t 10.0.0.1:80
-D -t 10.0.0.1:80
`);
  assert.deepEqual(problems, []);
  assert.equal(
    saved(state),
    `--set 900 120 300
-A -t 10.96.0.1:443 -s rr -p 360 -M 255.255.255.0
-a -t 10.96.0.1:443 -r 10.244.0.2:443 -m -w 1
-a -t 10.96.0.1:443 -r 10.244.0.4:6443 -m -w 0
-A -u [fd00::1]:53 -s mh -b mh-fallback,mh-port
`,
  );
});

test('what ipvsadm -R does not take is reported with its line and word', () => {
  const { problems } = read(`-A -t 10.0.0.1:80 -s rr
-A -t 10.0.0.1:80 -s rr
-a -t 10.0.0.2:80 -r 10.1.0.1:80 -m
-a -t 10.0.0.1:80 -r localhost:80 -m
-A -t https:80
-A -t 10.0.0.1:99999
-A -t 10.0.0.3:80 -s sh -b colour
-A -t 10.0.0.3:80 -w -1
-A -t 10.0.0.3:80 -q
-A -D -t 10.0.0.3:80
-t 10.0.0.3:80
--set 1 2
-D -t 10.0.0.9:80
-d -t 10.0.0.1:80 -r 10.1.0.9:80
-A -f 0
-A -t 10.0.0.3:80 -p 5 -M 255.0.255.0
-A -t
`);
  assert.deepEqual(problems, [
    '2: addService: Service already exists',
    '3: addServer: Service not defined',
    '4: localhost:80: no address and port of a server; names are read by ipvsadm -n',
    '5: https:80: no address and port of a service; names are read by ipvsadm -n',
    '6: 10.0.0.1:99999: no address and port of a service; names are read by ipvsadm -n',
    '7: colour: no flag of a scheduler',
    '8: -1: no number, or too large',
    '9: -q: no option of ipvsadm',
    '10: -D: a second command',
    '11: -t: no command of ipvsadm',
    '12: --set: --set takes three numbers',
    '13: deleteService: No such service',
    '14: deleteServer: No such destination',
    '15: 0: no address and port of a service; names are read by ipvsadm -n',
    '16: 255.0.255.0: no mask',
    '17: -t: a value is missing',
  ]);
});

test('commands are saved as recorded', () => {
  const rows = readFileSync(join(fixtures, 'normal-forms/normal-forms-ipvs.tsv'), 'utf8').trim().split('\n').slice(1);
  let compared = 0;
  for (const row of rows) {
    const [id = '', input = '', expected = ''] = row.split('\t');
    if (!/^-[Aa] /.test(input) || input.includes('...')) continue;
    // A server needs its service.
    const service = /^-a (\S+ \S+)/.exec(input)?.[1];
    const base = service === undefined ? '' : `-A ${service} -s rr\n`;
    for (const text of [input, expected]) {
      const { state, problems } = read(base + text);
      assert.deepEqual(problems, [], id);
      assert.equal(saved(state), `${base}${expected}\n`, id);
    }
    compared += 1;
  }
  assert.equal(compared, 13);
});
