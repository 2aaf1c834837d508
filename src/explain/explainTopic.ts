import type { Compiled } from '../pipeline/compile.ts';
import type { Topic } from './topic.ts';

/** A topic for one Service, or for all of a compiled cluster. Undefined: it has nothing to say of any of them. */
export function explainTopic(topic: Topic, compiled: Compiled, only: string | undefined): string | undefined {
  let text = '';
  for (const plan of compiled.plans) {
    const services = plan.services.filter(
      ({ port }) => only === undefined || only === `${port.namespace}/${port.name}`,
    );
    for (const { heading, lines } of topic.ofServices(services, plan, compiled)) {
      text += `\n${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`;
    }
  }
  return text === '' ? undefined : text;
}
