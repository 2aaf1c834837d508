import { type GeneralTopic, type GeneralTopicName, generalTopics } from '../explain/generalTopics.ts';

export type { GeneralTopicName };

/** What `k8snet explain` says of a topic: the page says it in the same words. */
export function generalTopic(name: GeneralTopicName): GeneralTopic {
  return generalTopics[name];
}
