import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type HttpOutcome,
  type HttpProbe,
  isHttpProbe,
  type Job,
  type Outcome,
  type Probe,
  type Server,
  type SocketProbe,
} from './probes.ts';

/** Runs in a network namespace of its own: a Job on standard input, an Outcome a probe on standard output. */
const job = JSON.parse(await text(process.stdin)) as Job;
for (const ip of new Set([...job.addresses, ...job.servers.map((server) => server.ip)])) {
  if (ip === '127.0.0.1') continue;
  const length = ip.includes(':') ? ['128', 'nodad'] : ['32'];
  execFileSync('ip', ['addr', 'add', `${ip}/${length[0]}`, 'dev', 'lo', ...length.slice(1)]);
}
for (const server of job.servers) await serve(server);
const [command = '', ...words] = job.program;
const program = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
let said = '';
program.stderr.on('data', (piece) => {
  said += piece;
});
const outcomes: Outcome[] = [];
try {
  if (job.listensOn !== undefined) await waitFor(job.listensOn);
  for (const probe of job.probes) outcomes.push(await ask(probe));
  process.stdout.write(JSON.stringify(outcomes));
} finally {
  program.kill();
}
process.exit();

async function serve({ kind, ip, port, status = 200, answer = '' }: Server): Promise<void> {
  const name = `${ip}:${port}`;
  if (kind === 'udp' || kind === 'dns') {
    const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4');
    socket.on('message', (message, { address, port: from }) =>
      socket.send(kind === 'udp' ? name : dnsAnswer(message, answer), from, address),
    );
    await new Promise<void>((done) => socket.bind(port, ip, done));
    return;
  }
  const server =
    kind === 'http'
      ? createServer((incoming, outgoing) => {
          outgoing.writeHead(status, { seen: JSON.stringify([incoming.url, incoming.rawHeaders]) });
          outgoing.end(name);
        })
      : createTcpServer((socket) => {
          socket.on('error', () => undefined);
          if (kind === 'tcp') socket.end(name);
          else socket.once('data', (data) => socket.end(`${name} ${data.toString('latin1').split(/\s/)[0]}`));
        });
  await new Promise<void>((done) => server.listen(port, ip, done));
}

/** The query as an answer: one A record for the name that was asked, nothing for other types. */
function dnsAnswer(query: Buffer, answer: string): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isA = query.readUInt16BE(end - 4) === 1;
  const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...answer.split('.').map(Number)]);
  return Buffer.concat([head, query.subarray(12, end), ...(isA ? [record] : [])]);
}

async function waitFor({ ip, port }: { readonly ip: string; readonly port: number }): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (program.exitCode !== null) throw new Error(`the program ended: ${said}`);
    if ((await connection(ip, port)) !== undefined) return;
    await sleep(100);
  }
  throw new Error(`nothing listens on ${ip}:${port}: ${said}`);
}

async function ask(probe: Probe): Promise<Outcome> {
  if (isHttpProbe(probe)) return askHttp(probe);
  const end = Date.now() + 15_000;
  for (;;) {
    const answers: string[] = [];
    for (let time = 0; time < probe.times; time++) answers.push(await one(probe));
    const seen = [...new Set(answers.map((answer) => answer.split(' ')[0] ?? ''))].sort();
    const isSettled =
      probe.until === 'one' ? seen.length === 1 && seen[0] !== '' : seen.join() === [...probe.until].sort().join();
    if (isSettled || Date.now() > end) return { answers };
    await sleep(500);
  }
}

function one(probe: SocketProbe): Promise<string> {
  return probe.kind === 'udp'
    ? datagram(probe.ip, probe.port)
    : connection(probe.ip, probe.port, probe.from, true).then((answer) => answer ?? '');
}

/** What a connection answers; undefined: refused. */
function connection(ip: string, port: number, from?: string, talks = false): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: ip, port, ...(from === undefined ? {} : { localAddress: from }) }, () => {
      if (talks) socket.write('hi\n');
      else socket.end();
    });
    socket.setTimeout(4000, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data;
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(answer));
  });
}

function datagram(ip: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => finish(''), 3000);
    const finish = (answer: string) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    socket.once('message', (message) => finish(message.toString()));
    socket.send('hi', port, ip);
  });
}

async function askHttp(probe: HttpProbe): Promise<HttpOutcome> {
  const statuses = new Set<string>();
  const bodies = new Set<string>();
  let location: string | undefined;
  for (let time = 0; time < probe.times; time++) {
    const { status, body, location: to } = await httpRequest(probe);
    statuses.add(status);
    if (status === '200') bodies.add(body);
    location = to;
  }
  return { statuses: [...statuses].sort(), bodies: [...bodies].sort(), location };
}

function httpRequest({ kind, port, host, path, headers }: HttpProbe) {
  return new Promise<{ status: string; body: string; location: string | undefined }>((resolve) => {
    const failed = (error: Error & { code?: string }) =>
      resolve({ status: `error ${error.code ?? error.message}`, body: '', location: undefined });
    const send = kind === 'https' ? requestTls : request;
    const outgoing = send(
      {
        host: '127.0.0.1',
        port,
        path,
        headers: { Host: host, ...headers },
        agent: false,
        servername: host,
        rejectUnauthorized: false,
      },
      (incoming) => {
        text(incoming).then((body) => {
          const seen = incoming.headers.seen;
          resolve({
            status: String(incoming.statusCode),
            body: headers === undefined ? body : `${body} ${seen}`,
            location: incoming.headers.location,
          });
        }, failed);
      },
    );
    outgoing.on('error', failed);
    outgoing.end();
  });
}
