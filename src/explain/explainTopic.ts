import type { Cluster } from '../model/cluster.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { ServiceWords, Topic } from './topic.ts';

/** What a topic is explained for; each is made when it is asked for. Undefined: an error was reported. */
export interface TopicInput {
  readonly compiled: () => Promise<Compiled | undefined>;
  readonly cluster: () => Promise<Cluster | undefined>;
  readonly counts: () => Promise<readonly ModeCounts[] | undefined>;
  /** `namespace/name`; undefined: all Services. */
  readonly only: string | undefined;
}

/** A topic for one Service, or for all of the input. Undefined: an error was reported. */
export async function explainTopic(
  topic: Exclude<Topic, { readonly kind: 'general' }>,
  { compiled, cluster, counts, only }: TopicInput,
): Promise<readonly ServiceWords[] | undefined> {
  switch (topic.kind) {
    case 'node': {
      const made = await compiled();
      return made?.plans.flatMap((plan) => {
        const isAsked = ({ port }: (typeof plan.services)[number]) =>
          only === undefined || only === `${port.namespace}/${port.name}`;
        return topic.ofServices(plan.services.filter(isAsked), plan, made);
      });
    }
    case 'cluster': {
      const made = await cluster();
      const services = made?.services.filter(({ id }) => only === undefined || only === id);
      return made && topic.ofCluster(services ?? [], made);
    }
    case 'modes': {
      const made = await counts();
      return made && topic.ofModes(made);
    }
  }
}
