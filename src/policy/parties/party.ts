import type { PolicyNode, PolicyPod } from '../../model/policyModel.ts';

/** Who sends or receives, as the filter sees it: an address, and who has it. */
export interface Party {
  readonly ip: string;
  /** Mostly one; two live pods with one address are judged together. */
  readonly pods: readonly PolicyPod[];
  /** The node whose own address it is (host processes and host-network pods). */
  readonly node: PolicyNode | undefined;
}
