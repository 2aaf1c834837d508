import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { procCommands } from '../../src/live/node/procCommands.ts';
import { procNetTexts } from '../../src/live/node/procNetTexts.ts';

/** What a kernel shows of a network that is made for it, by its own files and by the programs. */
const network = `
ip link set lo up
ip link add eth0 type veth peer name far; ip link set eth0 up; ip link set far up; ip addr add 192.168.77.11/24 dev eth0; ip addr add fd77::11/64 dev eth0 nodad
ip link add cni0 type bridge; ip link set cni0 up; ip addr add 10.244.1.1/24 dev cni0; ip addr add fd00:10:1::1/64 dev cni0 nodad
ip addr add 192.168.77.200/32 dev eth0
ip route add default via 192.168.77.1; ip route add 10.244.2.0/24 via 192.168.77.12 metric 7; ip route add unreachable 10.244.3.0/24
ip -6 route add fd00:10:2::/64 via fd77::12; ip -6 route add default via fd77::1; ip -6 route add unreachable fd00:10:3::/64
sysctl -qw net.ipv4.ip_forward=1`;

const canTry = process.getuid?.() === 0 && spawnSync('ip', ['-V']).status === 0;
const skip = canTry ? false : 'needs root and ip';

function inNetwork(command: string): string {
  const { stdout, status, stderr } = spawnSync('unshare', ['-n', 'sh', '-ec', `${network}\n${command}`], {
    encoding: 'utf8',
  });
  assert.ok(status === 0 || stdout !== '', stderr);
  return stdout;
}

function factsOf(addresses: string, routes4: string, routes6: string) {
  const texts = { addresses, routes4, routes6 };
  const { interfaces, routes } = readDumps(
    Object.entries(texts).map(([name, text]) => ({ name, text })),
    { name: 'n1' },
  ).network;
  const shown = interfaces.flatMap(({ name, addresses: list }) =>
    list.map(({ cidr }) => `${name} ${cidr.includes(':') ? cidr : cidr.replace(/\/\d+$/, '')}`),
  );
  const ways = routes
    .filter(
      ({ type, destination }) => type === 'unreachable' || (type === 'unicast' && !destination.startsWith('fe80:')),
    )
    .map(({ destination, via, device, type }) => [type, destination, via, type === 'unicast' ? device : ''].join(' '));
  const own = routes.filter(({ type, family }) => type === 'local' && family === 'ipv4').map((one) => one.destination);
  return { addresses: shown.filter((one) => !one.includes(' fe80:')).sort(), ways: ways.sort(), own: own.sort() };
}

test('the files of the kernel say what ip says', { skip }, () => {
  const [ofNet] = procCommands;
  const read = procNetTexts(inNetwork(ofNet?.words.join(' ') ?? ''));
  const printed = inNetwork(
    'ip -d addr show; echo ----; ip -4 route show table all; echo ----; ip -6 route show table all',
  );
  const [addresses = '', routes4 = '', routes6 = ''] = printed.split('----\n');
  const truth = factsOf(addresses, routes4, routes6);
  const told = factsOf(read.addresses, read.routes4, read.routes6);
  assert.deepEqual(told.addresses, truth.addresses);
  assert.deepEqual(told.ways, truth.ways);
  assert.deepEqual(
    told.own,
    truth.own.filter((one) => one !== '127.0.0.0/8'),
  );
});

test('settings are read as sysctl prints them', { skip }, () => {
  const command = procCommands.find(({ unless }) => unless === 'sysctl');
  const [[file, text] = []] = command?.printed(inNetwork(command.words.join(' '))) ?? [];
  assert.equal(file, 'facts/sysctl.txt');
  assert.match(text ?? '', /^net\.ipv4\.ip_forward = 1$/m);
  const { sysctls } = readDumps([{ name: 'sysctl', text: text ?? '', kind: 'sysctl' }], { name: 'n1' }).network;
  assert.equal(sysctls.get('net.ipv4.ip_forward'), 1);
});

test('connections are taken apart by family', () => {
  const command = procCommands.find(({ unless }) => unless === 'conntrack');
  const line = (family: string, source: string) =>
    `${family}     2 udp      17 29 src=${source} dst=${source} sport=1 dport=53 [UNREPLIED] src=${source} dst=${source} sport=53 dport=1 mark=0 use=1`;
  const files = command?.printed(`${line('ipv4', '10.0.0.1')}\n${line('ipv6', 'fd00::1')}\n`) ?? [];
  const { connections } = readDumps(
    files.map(([name, text]) => ({ name, text })),
    { name: 'n1' },
  );
  assert.deepEqual(
    connections.map(({ flow, file }) => [file, flow.original.destination]),
    [
      ['dumps/conntrack.udp.v4.txt', '10.0.0.1'],
      ['dumps/conntrack.udp.v6.txt', 'fd00::1'],
    ],
  );
});
