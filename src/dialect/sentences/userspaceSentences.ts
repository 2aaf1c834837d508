import type { UserspaceDialect } from '../userspace/userspaceDialect.ts';
import type { SentencesOf } from './axisSentences.ts';

/** What the axes of userspace mode mean, in sentences. */
export const userspaceSentences: SentencesOf<UserspaceDialect> = {
  repeatsNodePortComment: {
    isBehaviour: false,
    says: {
      true: 'The rule that lets node ports through names its service port twice.',
      false: 'The rule that lets node ports through names its service port once.',
    },
  },
};
