import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longestInput } from '../../load/files/longestInput.ts';
import type { ApiAnswer } from '../clusterApi.ts';
import { readStatus, refusalReasons } from '../refusal.ts';
import { tooSlow } from './tooSlow.ts';

/**
 * `kubectl proxy` for this program alone: it signs in once for all requests, where each kubectl would do so again, and starts
 * once. Undefined: kubectl itself must be asked, which also says what is wrong.
 */
export interface KubectlProxy {
  readonly get: (path: string) => Promise<ApiAnswer | undefined>;
}

/**
 * `words`: the command line of kubectl up to its command. `timeout`: milliseconds for one request; undefined: no limit. The
 * proxy starts with the first request, ends some seconds after the last one or with this program, and starts again when it
 * is needed. Once it fails it is not tried again.
 *
 * It listens on a socket in a folder that nobody else may enter, and takes requests for reading alone.
 */
export function kubectlProxy(words: readonly string[], timeout: number | undefined): KubectlProxy {
  // Its sockets need a system that has them, and a shell.
  let isUsable = process.platform !== 'win32';
  let running: Promise<Running | undefined> | undefined;
  let asked = 0;
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    const ended = running;
    running = undefined;
    (await ended)?.end();
  };
  const get = async (path: string): Promise<ApiAnswer | undefined> => {
    if (!isUsable) return undefined;
    asked += 1;
    clearTimeout(idle);
    running ??= start(words);
    const proxy = await running;
    const answer = proxy && (await request(proxy, path, timeout));
    asked -= 1;
    if (answer === undefined) isUsable = false;
    if (asked > 0) return answer;
    if (isUsable) idle = setTimeout(end, idleAfter).unref();
    else await end();
    return answer;
  };
  return { get };
}

const idleAfter = 5_000;

interface Running {
  readonly socket: string;
  readonly agent: Agent;
  readonly end: () => void;
}

/**
 * The shell waits for the end of its standard input, which comes in whatever way this program ends, and takes the socket and
 * all processes with it: `kubectl` may be a script that starts the real one.
 */
const script = `folder=$1
shift
{ "$@" </dev/null; kill -TERM 0; } &
exec >/dev/null
while read -r _; do :; done
rm -rf -- "$folder"
kill -TERM 0`;

async function start(words: readonly string[]): Promise<Running | undefined> {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'k8snet-proxy-'));
  } catch {
    return undefined;
  }
  const socket = join(folder, 'api');
  const command = [...words, 'proxy', `--unix-socket=${socket}`, '--reject-methods=^(POST|PUT|PATCH|DELETE)$'];
  // In a group of its own, so that it ends alone.
  const child = spawn('sh', ['-c', script, 'sh', folder, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 4 });
  const end = () => {
    agent.destroy();
    child.stdin?.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  child.stdin?.on('error', () => {});
  if (await isReady(child)) {
    // The program need not wait for it.
    for (const part of [child, child.stdin, child.stdout]) (part as { unref?: () => void } | null)?.unref?.();
    return { socket, agent, end };
  }
  end();
  return undefined;
}

/** kubectl prints one line once it listens. */
function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), readyWithin);
    const settle = (answer: boolean) => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.once('error', () => settle(false));
    child.once('close', () => settle(false));
    let said = '';
    child.stdout?.on('data', (piece: Buffer) => {
      said += piece.toString();
      if (/^Starting to serve on .*\n/.test(said)) settle(true);
      else if (said.length > 1000) settle(false);
    });
  });
}

const readyWithin = 5_000;

function request({ socket, agent }: Running, path: string, timeout: number | undefined) {
  return new Promise<ApiAnswer | undefined>((settle) => {
    const timer = timeout === undefined ? undefined : setTimeout(() => sent.destroy(slow), timeout);
    const resolve = (answer: ApiAnswer | undefined) => {
      clearTimeout(timer);
      settle(answer);
    };
    const fail = (problem: Error) => resolve(problem === slow ? tooSlow : undefined);
    const headers = { accept: 'application/json' };
    const sent = get({ socketPath: socket, path, agent, headers, host: 'localhost' }, (answer) => {
      const pieces: Buffer[] = [];
      let length = 0;
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        if (length > longestInput) sent.destroy(new Error('too much'));
      });
      answer.on('error', fail);
      answer.on('end', () => resolve(answerOf(answer.statusCode ?? 0, Buffer.concat(pieces).toString())));
    });
    sent.on('error', fail);
  });
}

const slow = new Error('no answer in time');

/** What the server answered; undefined: kubectl explains it better. A proxy on the way may answer with a page. */
function answerOf(status: number, text: string): ApiAnswer | undefined {
  if (status >= 200 && status < 300) return { kind: 'found', text };
  const reason = refusalReasons.get(status);
  const { kind, message } = readStatus(text);
  const said = kind === 'Status' ? message : undefined;
  const words = said ?? (reason === 'NotFound' ? notKnown : undefined);
  return reason && words ? { kind: 'refused', reason, message: words } : undefined;
}

/** A path that the server does not know is answered without a Status; kubectl then says this. */
const notKnown = 'the server could not find the requested resource';
