import type { Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import { accountApi, accountOf } from './accountApi.ts';
import type { ClusterApi } from './clusterApi.ts';
import { kubectlApi } from './kubectlApi.ts';
import type { LiveNeeds } from './liveKinds.ts';
import type { LiveOptions } from './liveOptions.ts';
import { readObjects } from './readObjects.ts';

/** A cluster that somebody asked to read. Nothing is contacted until the first question. */
export interface Live {
  /** Undefined: it cannot be read, or not what is needed of it; that was reported. */
  readonly objects: (needs: LiveNeeds, report: Report) => Promise<readonly SourceObject[] | undefined>;
}

export function openLive(options: LiveOptions): Live {
  let opened: Promise<ClusterApi> | undefined;
  const api = () => {
    opened ??= openApi(options);
    return opened;
  };
  return {
    objects: async (needs, report) => readObjects(await api(), needs, options.namespace, report),
  };
}

/** In a Pod with its account; else, and where another cluster is named, as kubectl does. */
async function openApi(options: LiveOptions): Promise<ClusterApi> {
  const account = accountOf(options, process.env);
  return account === undefined ? kubectlApi(options) : accountApi(account, options);
}
