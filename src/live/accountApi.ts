import { existsSync, readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ApiAnswer, ClusterApi } from './clusterApi.ts';
import type { ClusterWriter, WriteAnswer } from './clusterWriter.ts';
import { lineSplitter } from './kubectl/lineSplitter.ts';
import type { LiveOptions } from './liveOptions.ts';
import { readStatus, refusalReasons } from './refusal.ts';

/** What a Pod gets from the cluster that it runs in. */
export interface Account {
  readonly host: string;
  readonly port: string;
  /** The folder of the account: `token` is read for each request, because it is renewed. */
  readonly folder: string;
}

/** Undefined: this is not a Pod, or another cluster was named; then kubectl decides. */
export function accountOf(options: LiveOptions, environment: NodeJS.ProcessEnv): Account | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443', KUBECONFIG } = environment;
  if (!host || KUBECONFIG || options.kubeconfig !== undefined || options.context !== undefined) return undefined;
  if (existsSync(join(environment.HOME || homedir(), '.kube/config'))) return undefined;
  return existsSync(join(accountFolder, 'token')) ? { host, port, folder: accountFolder } : undefined;
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The API server as seen from a Pod: with the token of its account. */
export function accountApi(account: Account, options: LiveOptions): ClusterApi {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(account.folder, 'ca.crt')) });
  return {
    name: 'cluster (this Pod’s own)',
    get: (path) => ask(account, agent, options, { path }),
    follow: (path, line, signal) => ask(account, agent, options, { path, line, signal }),
  };
}

/** Writes as the Pod's account. */
export function accountWriter(account: Account, options: LiveOptions): ClusterWriter {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(account.folder, 'ca.crt')) });
  const send = async (body: Body, path: string) => writeAnswerOf(await ask(account, agent, options, { path, body }));
  return {
    create: (path, object) => send({ method: 'POST', type: 'application/json', object }, path),
    patch: (path, object, kind) =>
      send(
        { method: 'PATCH', type: `application/${kind === 'merge' ? '' : 'strategic-'}merge-patch+json`, object },
        path,
      ),
  };
}

/** The body of the request; without it nothing is written. */
interface Body {
  readonly method: 'POST' | 'PATCH';
  readonly type: string;
  readonly object: object;
}

interface Question {
  readonly path: string;
  readonly body?: Body;
  /** Passes on the lines of a continuous answer, until `signal` ends it. */
  readonly line?: (text: string) => void;
  readonly signal?: AbortSignal;
}

function ask(
  { host, port, folder }: Account,
  agent: Agent,
  { as, asGroup = [], requestTimeout }: LiveOptions,
  { path, line, signal, body }: Question,
): Promise<ApiAnswer> {
  return new Promise((resolve) => {
    const fail = (message: string) => resolve({ kind: 'failed', message: `${host}:${port}: ${message}` });
    let token: string;
    try {
      token = readFileSync(join(folder, 'token'), 'utf8').trim();
    } catch (problem) {
      fail(`the token of the account cannot be read: ${(problem as Error).message}`);
      return;
    }
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(as !== undefined && { 'impersonate-user': as }),
      ...(asGroup.length > 0 && { 'impersonate-group': [...asGroup] }),
      ...(body && { 'content-type': body.type }),
    };
    const { method = 'GET' } = body ?? {};
    // As an option it counts from the beginning: `setTimeout` of a request begins with the connection, which takes minutes to fail.
    const timeout = line === undefined ? requestTimeout : undefined;
    const options = { host, port, path, method, agent, headers, timeout, ...(signal && { signal }) };
    const sent = request(options, (answer) => {
      const pieces: Buffer[] = [];
      const isTaken = line !== undefined && answer.statusCode === 200;
      answer.on('data', isTaken ? lineSplitter(line) : (piece: Buffer) => pieces.push(piece));
      answer.on('error', ({ message }) => fail(message));
      answer.on('end', () => resolve(answerOf(answer.statusCode ?? 0, Buffer.concat(pieces).toString())));
    });
    sent.on('timeout', () => sent.destroy(new Error(noAnswer)));
    endSilent(sent, line === undefined ? undefined : (requestTimeout ?? longestHead));
    sent.on('error', ({ message }) => fail(message));
    sent.end(body && JSON.stringify(body.object));
  });
}

/**
 * Ends a request that the network swallows: without an answer the system would try for minutes. `untilHead`: milliseconds
 * until an answer begins that may then rightly say nothing for minutes. Whether its server is still there, the system of
 * the server is asked.
 */
function endSilent(sent: ClientRequest, untilHead: number | undefined): void {
  const endAfter = (time: number, why: string) => {
    const timer = setTimeout(() => sent.destroy(new Error(why)), time);
    const stop = () => clearTimeout(timer);
    sent.once('response', stop).once('close', stop);
    return stop;
  };
  if (untilHead !== undefined) endAfter(untilHead, noAnswer);
  sent.once('socket', (socket) => {
    const keep = () => socket.setKeepAlive(true, silence);
    if (!socket.connecting) return keep();
    const stop = endAfter(longestConnecting, 'no connection in time');
    socket.once('connect', () => {
      stop();
      keep();
    });
  });
}

const noAnswer = 'no answer in time';
/** Milliseconds. A system answers at once, however busy its programs are. */
const longestConnecting = 10_000;
/** Milliseconds until an answer begins: a busy server lets requests wait. */
const longestHead = 60_000;
/** Milliseconds without a packet, after which the server's system is asked, ten times. */
const silence = 20_000;

function writeAnswerOf(answer: ApiAnswer): WriteAnswer {
  if (answer.kind === 'found') return { kind: 'done', text: answer.text };
  if (answer.kind === 'refused' && answer.reason === 'Forbidden') return { kind: 'forbidden', message: answer.message };
  return /^409 /.test(answer.message) ? { kind: 'exists' } : { kind: 'failed', message: answer.message };
}

function answerOf(status: number, text: string): ApiAnswer {
  if (status >= 200 && status < 300) return { kind: 'found', text };
  const message = readStatus(text).message ?? text;
  const reason = refusalReasons.get(status);
  if (reason !== undefined) return { kind: 'refused', reason, message };
  const hint = status === 401 ? { hint: 'the token of the account is not accepted: is it expired?' } : {};
  return { kind: 'failed', message: `${status} ${message}`, ...hint };
}
