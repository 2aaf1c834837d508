import type { Cidr } from '../common/addresses/cidr.ts';

/** What depends on the host instead of kube-proxy's settings. */
export interface OutputOptions {
  readonly hasNfacct: boolean;
  /** Masquerade Pods of these networks that talk to the outside, as network plug-ins do; one a family at most. */
  readonly masqueradedPods?: readonly Cidr[];
}
