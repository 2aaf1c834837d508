import { ascending } from '../common/ascending.ts';
import { defaultMode } from '../common/proxy/proxyMode.ts';
import { didYouMean } from '../common/text/didYouMean.ts';
import type { Topic } from '../explain/topic.ts';
import { noSources } from '../load/noSources.ts';
import type { Sources } from '../load/sources.ts';
import { isKubeName } from '../netfilter/proxyChains.ts';
import { linksOf } from '../problems/referenceLinks.ts';
import { checkObjects, compile, modeCounts, readSettings, resolveCluster } from '../public/core.ts';
import { told } from '../public/result.ts';
import type { ExplainPage } from './explainPage.ts';
import { readInput } from './objects/readInput.ts';
import type { InputOptions, MessageOptions } from './options/commonOptions.ts';
import type { TargetFlags } from './options/targetOptions.ts';
import type { Messages } from './write/messages.ts';

export type ExplainFlags = MessageOptions &
  TargetFlags &
  Pick<InputOptions, 'recursive' | 'live'> & { readonly filename?: readonly string[]; readonly service?: string };

/** The explanations, and the texts that problems point into. */
export interface ExplainPages {
  readonly pages: readonly ExplainPage[];
  readonly sources: Sources;
}

/** The pages of problems and topics, in the order asked for. */
export async function explainPages(
  ids: readonly string[],
  flags: ExplainFlags,
  messages: Messages,
): Promise<ExplainPages> {
  const [{ problemPage }, { allProblems }, { topics }, { topicNamed }] = await Promise.all([
    import('../problems/problemPage.ts'),
    import('../problems/problemCatalogue.ts'),
    import('../explain/topics.ts'),
    import('../explain/topicNamed.ts'),
  ]);
  const pages: ExplainPage[] = [];
  let sources = noSources;
  for (const given of ids) {
    const problem = problemPage(findingId(given)) ?? problemPage(given.toLowerCase());
    // The code of a finding or a diagnostic is never a topic.
    const name = problem?.kind === 'finding' || problem?.kind === 'diagnostic' ? undefined : topicNamed(given);
    const topic = name === undefined ? undefined : topics[name];
    if (name !== undefined && topic !== undefined) {
      const made = await topicPage(name, topic, flags, messages);
      if (made.page !== undefined) pages.push(made.page);
      sources = made.sources;
    }
    // A few words are both the name of a topic and the code of a problem: `dns`, `masquerade`.
    if (problem !== undefined) pages.push(problem);
    if (topic === undefined && problem === undefined) {
      const meant = didYouMean(given, [...allProblems().map(({ code }) => code), ...Object.keys(topics)]);
      messages.report({
        code: 'unknown-finding',
        severity: 'error',
        message: `${JSON.stringify(given)} is neither the code of a problem nor a topic`,
        at: [],
        hint: hintFor(given, meant, pages.at(-1)),
      });
    }
  }
  return { pages, sources };
}

/** `before`: the page of the word before it. */
function hintFor(id: string, meant: string | undefined, before: ExplainPage | undefined): string {
  if (isKubeName(id) || /^(?:service|endpoint|external|firewall|policy)-[A-Z0-9]{6,}/.test(id)) {
    return `k8snet whois ${id} DUMP says what a chain of a node is`;
  }
  if (meant !== undefined) return `did you mean ${meant}?`;
  const [, topic] = /^(service|svc)\//.exec(id) ?? [];
  if (topic !== undefined)
    return `k8snet explain service --service ${id.slice(topic.length + 1)} -f MANIFESTS explains it for one Service`;
  if (before?.kind === 'topic' && serviceName.test(id)) {
    const service = id.includes('/') ? id : `NAMESPACE/${id}`;
    return `k8snet explain ${before.name} --service ${service} -f MANIFESTS explains it for one Service`;
  }
  return 'k8snet explain --list names all codes and topics';
}

const serviceName = /^(?:[a-z0-9-]+\/)?[a-z0-9-]+$/;

/** Everything that can be explained. */
export async function explainList(): Promise<ExplainPage> {
  const [{ allProblems }, { topics }] = await Promise.all([
    import('../problems/problemCatalogue.ts'),
    import('../explain/topics.ts'),
  ]);
  return {
    kind: 'list',
    problems: allProblems(),
    topics: Object.entries(topics)
      .sort(([one], [other]) => ascending(one, other))
      .map(([name, { title }]) => ({ name, title })),
  };
}

/** What the settings of a configuration change. */
export async function explainConfig(flags: ExplainFlags, messages: Messages): Promise<ExplainPages> {
  const { explainSettings } = await import('../explain/explainSettings.ts');
  const { options, sources } = await readInput({ ...flags, filename: [], live: undefined }, messages);
  const config = await told(readSettings(options), messages.report);
  if (config === undefined || messages.hasErrors()) return { pages: [], sources };
  const mode = flags.mode ?? (config.mode || defaultMode);
  return { pages: [{ kind: 'settings', mode, settings: explainSettings(config, mode) }], sources };
}

/** A topic in general, then for the Services of the input, if there is one. Without a page: an error was reported. */
async function topicPage(
  name: string,
  topic: Topic,
  flags: ExplainFlags,
  messages: Messages,
): Promise<{ readonly page?: ExplainPage; readonly sources: Sources }> {
  const { title, about, refs } = topic;
  const page = { kind: 'topic', name, title, about, ...(refs && { links: linksOf(refs) }) } as const;
  // Facts that do not depend on the objects do not need them.
  if (flags.filename === undefined || topic.kind === 'general') return { page, sources: noSources };
  const { explainTopic } = await import('../explain/explainTopic.ts');
  const { objects, options, sources } = await readInput({ ...flags, filename: flags.filename }, messages);
  const services = await explainTopic(topic, {
    compiled: () => told(compile(objects, options), messages.report),
    cluster: () => told(resolveCluster(objects, options), messages.report),
    counts: async () => {
      const checked = await told(checkObjects(objects, options), messages.report);
      return checked && modeCounts(checked);
    },
    only: flags.service,
  });
  if (services === undefined) return { sources };
  return { page: { ...page, services, ...(flags.service !== undefined && { only: flags.service }) }, sources };
}

/** `k8n203` and `203` are meant too. */
function findingId(text: string): string {
  return /^\d+$/.test(text) ? `K8N${text}` : text.toUpperCase();
}
