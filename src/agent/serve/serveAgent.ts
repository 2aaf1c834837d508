import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AgentOptions } from '../agentOptions.ts';
import { type Answering, answerRequest } from './answerRequest.ts';

/** An endpoint that answers until it is closed. */
export interface Served {
  /** The port that was given, or that was free for 0. */
  readonly port: number;
  readonly close: () => Promise<void>;
  /** Reads certificate and key again: they are renewed while the agent runs. */
  readonly renew: () => void;
}

/** Listens; an address that cannot be had is an error. */
export async function serveAgent(
  { listen, tls }: Pick<AgentOptions, 'listen' | 'tls'>,
  answering: Answering,
): Promise<Served> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    answerRequest(request, response, answering).catch(() => response.destroy());
  };
  const context = () => tls && { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  const secure = tls === undefined ? undefined : createSecureServer({ ...context(), minVersion: 'TLSv1.2' }, answer);
  const server = secure ?? createServer(answer);
  server.requestTimeout = patience;
  server.headersTimeout = patience;
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : listen.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    renew: () => {
      const own = context();
      if (own !== undefined) secure?.setSecureContext({ ...own, minVersion: 'TLSv1.2' });
    },
  };
}

/** Milliseconds. */
const patience = 10_000;
/** Scrapers and probes are few; a node's memory is not for the others. */
const mostConnections = 64;
