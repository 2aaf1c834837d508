import { createHash } from 'node:crypto';
import type { ClusterWriter } from '../../live/clusterWriter.ts';
import type { Clock } from '../clock.ts';

/** Whether the sender of a token may read a path: `unknown` if the API server does not say. */
export type Verdict = 'allowed' | 'forbidden' | 'unauthenticated' | 'unknown';

/**
 * Asks the API server who a token belongs to, and whether that user may `get` the path (a rule with `nonResourceURLs`).
 * An answer holds for a minute; only a hash of the token is kept.
 */
export function tokenReviewer(
  writer: Pick<ClusterWriter, 'create'>,
  clock: Pick<Clock, 'now'>,
): (token: string, path: string) => Promise<Verdict> {
  const known = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  return async (token, path) => {
    const key = createHash('sha256').update(`${path} ${token}`).digest('base64');
    const now = clock.now();
    const held = known.get(key);
    if (held !== undefined && held.until > now) return held.verdict;
    const verdict = await review(writer, token, path);
    if (known.size >= mostKnown) known.clear();
    if (verdict !== 'unknown') known.set(key, { verdict, until: now + lifetime });
    return verdict;
  };
}

const lifetime = 60_000;
const mostKnown = 1000;

async function review({ create }: Pick<ClusterWriter, 'create'>, token: string, path: string): Promise<Verdict> {
  const api = 'authentication.k8s.io/v1';
  const who = await create(`/apis/${api}/tokenreviews`, { apiVersion: api, kind: 'TokenReview', spec: { token } });
  if (who.kind !== 'done') return 'unknown';
  const { authenticated, user } = statusOf(who.text) as TokenStatus;
  if (authenticated !== true || user?.username === undefined) return 'unauthenticated';
  const may = 'authorization.k8s.io/v1';
  const answer = await create(`/apis/${may}/subjectaccessreviews`, {
    apiVersion: may,
    kind: 'SubjectAccessReview',
    spec: {
      user: user.username,
      groups: user.groups ?? [],
      uid: user.uid,
      extra: user.extra,
      nonResourceAttributes: { path, verb: 'get' },
    },
  });
  if (answer.kind !== 'done') return 'unknown';
  return (statusOf(answer.text) as { readonly allowed?: unknown }).allowed === true ? 'allowed' : 'forbidden';
}

interface TokenStatus {
  readonly authenticated?: unknown;
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: object;
  };
}

function statusOf(text: string): object {
  try {
    return (JSON.parse(text) as { readonly status?: object }).status ?? {};
  } catch {
    return {};
  }
}
