import type { GeneralTopicName } from '../../public/topics.ts';
import type { PageState } from '../app/pageState.ts';
import { type LessonCluster, lessonCluster } from './lessonCluster.ts';

/** A state of the page with what there is to see in it. */
export interface Lesson {
  readonly id: string;
  readonly title: string;
  /** What it is about, in the words that `k8snet explain` prints; undefined: the text says it. */
  readonly topic?: GeneralTopicName;
  /** What there is to see: a sentence or paragraph each. */
  readonly text: readonly string[];
  /** Stands in the view: a test looks for it. */
  readonly shows: string;
  readonly state: Partial<PageState>;
}

/** The state of a lesson about the cluster of all lessons, as node n1 has it. */
export function lessonState(cluster: LessonCluster, state: Partial<PageState>): Partial<PageState> {
  return {
    input: {
      manifests: [{ name: 'lesson.yaml', text: lessonCluster(cluster) }],
      dumps: [],
      settings: { node: 'n1', 'cluster-cidr': '10.244.0.0/16' },
    },
    tab: 'manifests',
    file: 0,
    ...state,
  };
}

/** A packet from one to another, at its first step. */
export function asked(from: string, to: string, proto = ''): Partial<PageState> {
  return { view: 'walk', walk: { from, to, proto, outcome: 0, step: 0 } };
}
