import type { ApiAnswer, ClusterApi } from './clusterApi.ts';

/** Requests nothing twice: two questions of one moment may need the same list. */
export function rememberingApi(api: ClusterApi): ClusterApi {
  const known = new Map<string, Promise<ApiAnswer>>();
  const get = (path: string) => {
    const answer = known.get(path) ?? api.get(path);
    known.set(path, answer);
    return answer;
  };
  return { ...api, get };
}
