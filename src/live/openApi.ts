import { accountApi, accountOf, accountWriter } from './accountApi.ts';
import type { ClusterApi } from './clusterApi.ts';
import type { OpenCluster } from './clusterWriter.ts';
import { kubectlApi, kubectlWriter } from './kubectl/kubectlApi.ts';
import type { LiveOptions } from './liveOptions.ts';
import { pacedApi } from './pacedApi.ts';

/** In a Pod by its account; otherwise, and if another cluster is named, as kubectl does. */
export async function openApi(options: LiveOptions): Promise<ClusterApi> {
  const account = accountOf(options, process.env);
  return pacedApi(account === undefined ? await kubectlApi(options) : accountApi(account, options));
}

/** The same for callers that also write. */
export async function openCluster(options: LiveOptions): Promise<OpenCluster> {
  const account = accountOf(options, process.env);
  const writer = account === undefined ? kubectlWriter(options) : accountWriter(account, options);
  return { api: await openApi(options), writer };
}
