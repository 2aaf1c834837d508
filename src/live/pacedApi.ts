import type { ApiAnswer, ClusterApi } from './clusterApi.ts';
import { openTurns } from './lists/inTurns.ts';

/**
 * The same server, at a pace that suits it. The first request goes alone: kubectl may have to sign in, and if nobody answers
 * it, those that wait for it share its failure. Then a few run at once: the server has other clients too.
 */
export function pacedApi(api: ClusterApi): ClusterApi {
  let first: Promise<ApiAnswer> | undefined;
  const take = openTurns(requestsAtOnce);
  const get = async (path: string) => {
    if (first === undefined) {
      first = api.get(path);
      const answer = await first;
      // A later caller tries again.
      if (answer.kind === 'failed') first = undefined;
      return answer;
    }
    const answer = await first;
    return answer.kind === 'failed' ? answer : take(() => api.get(path));
  };
  return { ...api, get };
}

const requestsAtOnce = 4;
