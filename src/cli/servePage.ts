import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embedInput, type PageInput } from '../page/pageInput.ts';
import { writeOut } from './write/writeOut.ts';

export interface ServedPage {
  /** As built. */
  readonly page: string;
  readonly port: number;
  readonly input: PageInput;
  /** The paths of all files that are shown, including new ones; undefined: they cannot be found at the moment. */
  readonly files: () => readonly string[] | undefined;
  /** Reads them again; undefined: they cannot be read, which was reported. */
  readonly read: () => Promise<PageInput | undefined>;
}

/**
 * Shows a page on 127.0.0.1 until the program is ended, and sends it the input again whenever a file changes. The address
 * has a secret part: other users of the machine may ask its ports too. False: the port cannot be opened.
 */
export async function servePage(served: ServedPage): Promise<boolean> {
  const secret = randomBytes(16).toString('hex');
  const readers = new Set<ServerResponse>();
  let { input } = served;
  const page = embedInput(served.page, { follow: 'events' }).replace("connect-src 'none'", "connect-src 'self'");
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    answer(request, response, { path: `/${secret}/`, hosts: [`127.0.0.1:${port}`, `localhost:${port}`], page }, () => {
      readers.add(response);
      response.on('close', () => readers.delete(response));
      send(response, input);
    });
  });
  server.listen(served.port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false);
  if (!isOpen) return false;
  writeOut([`http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}/\n`]);
  const stop = follow(served, (next) => {
    input = next;
    for (const reader of readers) send(reader, next);
  });
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
  stop();
  for (const reader of readers) reader.end();
  server.close();
  server.closeAllConnections();
  return true;
}

interface Site {
  readonly path: string;
  readonly hosts: readonly string[];
  readonly page: string;
}

/** A page of another site may request this address under a name of its own: only our names count. */
function answer(request: IncomingMessage, response: ServerResponse, site: Site, onReader: () => void): void {
  const { method, url = '', headers } = request;
  const isOurs = method === 'GET' && site.hosts.includes(headers.host ?? '');
  const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (isOurs && url === site.path) {
    response.writeHead(200, { ...common, 'content-type': 'text/html; charset=utf-8' });
    response.end(site.page);
  } else if (isOurs && url === `${site.path}events`) {
    response.writeHead(200, { ...common, 'content-type': 'text/event-stream' });
    onReader();
  } else {
    response.writeHead(404, { ...common, 'content-type': 'text/plain' });
    response.end('not here\n');
  }
}

function send(reader: ServerResponse, input: PageInput): void {
  reader.write(`data: ${JSON.stringify(input)}\n\n`);
}

/** Checks times and sizes: editors save in too many different ways for anything else. */
function follow({ files, read }: ServedPage, onChange: (input: PageInput) => void): () => void {
  let last = stateOf(files());
  let isReading = false;
  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    const now = stateOf(files());
    // A file that is being replaced will be there again the next time.
    if (now !== undefined && now !== last) {
      last = now;
      const input = await read();
      if (input !== undefined) onChange(input);
    }
    isReading = false;
  }, lookedEvery);
  return () => clearInterval(timer);
}

/** Milliseconds. */
const lookedEvery = 300;

function stateOf(files: readonly string[] | undefined): string | undefined {
  return files
    ?.map((file) => {
      const { mtimeMs, size, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return `${file} ${mtimeMs} ${size} ${ino}`;
    })
    .join('\n');
}
