import type { Live } from '../../live/openLive.ts';

/** Of commands that can read a cluster: what was opened, where it was asked for. */
export interface LiveFlags {
  /** Its objects will be read. */
  readonly live?: Live | undefined;
  /** Its nodes may be contacted. */
  readonly liveNodes?: Live | undefined;
  readonly selector?: string;
}
