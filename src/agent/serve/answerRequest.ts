import type { IncomingMessage, ServerResponse } from 'node:http';
import { renderReport } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import type { AgentState } from '../agentState.ts';
import type { Clock } from '../clock.ts';
import { agentReport } from './agentReport.ts';
import { metricsText, metricsType } from './metricsText.ts';
import { isOwnCall, ownCallHeader } from './ownCall.ts';
import { processCosts } from './processCosts.ts';
import type { Verdict } from './reviewToken.ts';

/** What answers are made from. */
export interface Answering {
  readonly state: () => AgentState;
  readonly clock: Clock;
  /** After this many milliseconds without activity of the loop, the agent counts as dead. */
  readonly patience: number;
  readonly servesReport: boolean;
  /** Undefined: everybody who can connect to the endpoint may read. */
  readonly review: ((token: string, path: string) => Promise<Verdict>) | undefined;
  /** The token of the Pod's account; undefined: the one in the file. */
  readonly ownToken?: () => string | undefined;
  readonly shown: Map<string, readonly [severity: string, finding: string]>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  const { status, type, text } = await answerOf(request, answering);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The report is one page that loads nothing.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function answerOf(request: IncomingMessage, answering: Answering): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET is answered here');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://agent');
  switch (pathname) {
    case '/healthz':
      return healthz(answering);
    case '/readyz':
      return readyz(answering);
    case '/metrics': {
      const { state, clock, shown } = answering;
      const refused = await refusal(request, pathname, answering);
      return refused ?? ok(metricsType, metricsText(state(), clock.now(), processCosts(), shown));
    }
    case '/report':
    case '/report.html': {
      const refused = await refusalOfReport(request, pathname, answering);
      const isHtml =
        pathname === '/report.html' ||
        searchParams.get('format') === 'html' ||
        (searchParams.get('format') === null && /\btext\/html\b/.test(request.headers.accept ?? ''));
      return refused ?? (await report(answering, isHtml));
    }
    default:
      return plain(404, 'there are /metrics, /healthz, /readyz and, where it is served, /report');
  }
}

function healthz({ state, clock, patience }: Answering): Answer {
  const silent = clock.now() - state().aliveAt;
  return silent < patience
    ? plain(200, 'ok')
    : plain(503, `no check has come to its end for ${Math.round(silent / 1000)} s`);
}

/** Ready: the present state of the node can be judged. */
function readyz({ state }: Answering): Answer {
  const { last, unknown } = state();
  const lines = [...unknown].map(([what, { sinceDate, why }]) => {
    return `${what} unknown since ${sinceDate.toISOString()}: ${why}`;
  });
  if (lines.length > 0) return plain(503, lines.join('\n'));
  return last === undefined ? plain(503, 'the rules were not compared yet') : plain(200, 'ok');
}

async function refusalOfReport(
  request: IncomingMessage,
  path: string,
  answering: Answering,
): Promise<Answer | undefined> {
  const { clock, servesReport, ownToken } = answering;
  const own = ownToken?.();
  const header = request.headers[ownCallHeader];
  if (ownToken === undefined ? isOwnCall(header, path, clock.date()) : isOwnCall(header, path, clock.date(), own))
    return undefined;
  if (!servesReport) return plain(404, 'reports are not served: they name Services; --report serves them');
  return refusal(request, path, answering);
}

async function refusal(request: IncomingMessage, path: string, { review }: Answering): Promise<Answer | undefined> {
  if (review === undefined) return undefined;
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) return plain(401, 'a token of the cluster is asked for');
  const verdict = await review(token, path);
  switch (verdict) {
    case 'allowed':
      return undefined;
    case 'unauthenticated':
      return plain(401, 'the API server does not know the token');
    case 'forbidden':
      return plain(403, `the account may not get ${path}: {nonResourceURLs: ["${path}"], verbs: [get]} grants it`);
    case 'unknown':
      return plain(
        503,
        'the API server does not say who may read this: the agent needs to create tokenreviews and subjectaccessreviews',
      );
  }
}

async function report({ state, clock }: Answering, isHtml: boolean): Promise<Answer> {
  const now = state();
  if (!isHtml) return ok('application/json', `${JSON.stringify(agentReport(now, clock.now()), undefined, 2)}\n`);
  if (now.last === undefined) return plain(503, 'the rules were not compared yet');
  const { report: compared, date } = now.last;
  const open = [...now.unknown].map(
    ([what, { sinceDate, why }]) => `${what} unknown since ${sinceDate.toISOString()}: ${why}`,
  );
  const young = now.problems.filter(({ isSettled }) => !isSettled).length;
  const notes = [
    `node ${now.node} at ${date.toISOString()}`,
    ...open,
    ...(young === 0 ? [] : [`${young} of the findings just began: kube-proxy may be writing these rules now`]),
    ...compared.notes,
  ];
  const pieces = await orThrow(renderReport({ ...compared, notes }, { form: 'html' }));
  return ok('text/html; charset=utf-8', [...pieces].join(''));
}

function ok(type: string, text: string): Answer {
  return { status: 200, type, text };
}

function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', text: `${text}\n` };
}
