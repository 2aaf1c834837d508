import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AgentOptions } from '../agentOptions.ts';
import { type Answering, answerRequest } from './answerRequest.ts';

/** An endpoint that answers until it is closed. */
export interface Served {
  /** The given port, or a free one for 0. */
  readonly port: number;
  readonly close: () => Promise<void>;
  /** Reads certificate and key again: they are renewed while the agent runs. */
  readonly renew: () => Promise<void>;
}

/** Listens; an unavailable address is an error. */
export async function serveAgent(
  { listen, tls }: Pick<AgentOptions, 'listen' | 'tls'>,
  answering: Answering,
): Promise<Served> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    answerRequest(request, response, answering).catch(() => response.destroy());
  };
  const certificate = () => tls && { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') };
  const created = (pair: ReturnType<typeof certificate>): Server => {
    const server =
      pair === undefined ? createServer(answer) : createSecureServer({ ...pair, minVersion: 'TLSv1.2' }, answer);
    server.requestTimeout = patience;
    server.headersTimeout = patience;
    server.maxConnections = mostConnections;
    return server;
  };
  const listening = (server: Server, port: number) =>
    new Promise<Server>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, listen.host, () => resolve(server));
    });
  const closed = (server: Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  let own = certificate();
  let server = await listening(created(own), listen.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : listen.port;
  return {
    port,
    close: () => closed(server),
    // The engine of single executables stops listening when a server gets another certificate: another server replaces
    // it.
    renew: async () => {
      const next = readable(certificate);
      if (next === undefined || (next.cert === own?.cert && next.key === own.key)) return;
      const made = readable(() => created(next));
      if (made === undefined) return;
      own = next;
      await closed(server);
      server = await listening(made, port);
    },
  };
}

/** Files that are being written are read again at the next check. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Milliseconds. */
const patience = 10_000;
/** Scrapers and probes are few; other clients must not use up the node's memory. */
const mostConnections = 64;
