import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { NetPolicy } from '../../model/netPolicy.ts';

/** Where selectors without namespaces look; a cluster-wide policy has none, and always says which. */
export type PeerHome = Pick<NetPolicy | ClusterPolicy, 'kind'> & { readonly namespace?: string };
