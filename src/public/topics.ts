import { type GeneralTopic, type GeneralTopicName, generalTopics } from '../explain/generalTopics.ts';

export type { GeneralTopicName };

/** The text of `k8snet explain` about a topic: the page uses the same words. */
export function generalTopic(name: GeneralTopicName): GeneralTopic {
  return generalTopics[name];
}
