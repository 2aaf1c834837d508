import { clusterIP } from './clusterIP.ts';
import { generalTopics } from './generalTopics.ts';
import { modes } from './modes.ts';
import { nodePort } from './nodePort.ts';
import { service } from './service.ts';
import { sessionAffinity } from './sessionAffinity.ts';
import type { Topic } from './topic.ts';

/** By the name that `k8snet explain` takes. */
export const topics: Readonly<Record<string, Topic>> = {
  'cluster-ip': clusterIP,
  modes,
  'node-port': nodePort,
  service,
  'session-affinity': sessionAffinity,
  ...Object.fromEntries(
    Object.entries(generalTopics).map(([name, topic]): [string, Topic] => [name, { kind: 'general', ...topic }]),
  ),
};
