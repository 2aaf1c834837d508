import { request } from 'node:http';

/** Objects of a real API server. Every call but `tryGet` fails with what the server said unless it did what was asked. */
export interface Api {
  readonly get: (path: string) => Promise<unknown>;
  /** Undefined: nobody answers, or not with 200. */
  readonly tryGet: (path: string) => Promise<string | undefined>;
  readonly create: (path: string, object: object) => Promise<unknown>;
  /** A merge patch. */
  readonly patch: (path: string, object: object) => Promise<unknown>;
  readonly remove: (path: string) => Promise<unknown>;
}

/** Over the socket of `kubectl proxy`, which reaches out of a network namespace. */
export function openApi(socketPath: string): Api {
  const call = async (method: string, path: string, body?: object, type = 'application/json') => {
    const { status, text } = await send(socketPath, method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as unknown;
  };
  return {
    get: (path) => call('GET', path),
    tryGet: async (path) => {
      try {
        const { status, text } = await send(socketPath, 'GET', path);
        return status === 200 ? text : undefined;
      } catch {
        return undefined;
      }
    },
    create: (path, object) => call('POST', path, object),
    patch: (path, object) => call('PATCH', path, object, 'application/merge-patch+json'),
    remove: (path) => call('DELETE', path),
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(socketPath: string, method: string, path: string, body?: object, type = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': type };
    const sent = request({ socketPath, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
