import { clusterIP } from './clusterIP.ts';
import { nodePort } from './nodePort.ts';
import { sessionAffinity } from './sessionAffinity.ts';
import type { Topic } from './topic.ts';

/** By the name that `k8snet explain` takes. */
export const topics: Readonly<Record<string, Topic>> = {
  'cluster-ip': clusterIP,
  'node-port': nodePort,
  'session-affinity': sessionAffinity,
};
