import { ascending } from '../common/ascending.ts';
import { didYouMean } from '../common/didYouMean.ts';
import { defaultMode } from '../common/proxyMode.ts';
import type { DiagnosticKind } from '../diagnostics/catalogue.ts';
import type { Topic } from '../explain/topic.ts';
import type { FindingId } from '../findings/finding.ts';
import { noSources } from '../load/noSources.ts';
import type { Sources } from '../load/sources.ts';
import { isKubeName } from '../netfilter/proxyChains.ts';
import { checkObjects, compile, modeCounts, readSettings, resolveCluster } from '../public/core.ts';
import type { ExplainPage } from './explainPage.ts';
import { readInput } from './objects/readInput.ts';
import type { InputOptions, MessageOptions } from './options/commonOptions.ts';
import type { TargetFlags } from './options/targetOptions.ts';
import type { Messages } from './write/messages.ts';

export type ExplainFlags = MessageOptions &
  TargetFlags &
  Pick<InputOptions, 'recursive' | 'live'> & { readonly filename?: readonly string[]; readonly service?: string };

/** What was found to say, and the texts that problems point into. */
export interface ExplainPages {
  readonly pages: readonly ExplainPage[];
  readonly sources: Sources;
}

/** The pages of findings, diagnostics and topics, in the order asked for. */
export async function explainPages(
  ids: readonly string[],
  flags: ExplainFlags,
  messages: Messages,
): Promise<ExplainPages> {
  const [{ findingPage }, { findingCatalogue: findings }, { catalogue }, { topics }, { topicNamed }] = await Promise.all([
    import('../report/pages/findingPage.ts'),
    import('../findings/findingCatalogue.ts'),
    import('../diagnostics/catalogue.ts'),
    import('../explain/topics.ts'),
    import('../explain/topicNamed.ts'),
  ]);
  const diagnostics: Readonly<Record<string, DiagnosticKind>> = catalogue;
  const pages: ExplainPage[] = [];
  let sources = noSources;
  for (const given of ids) {
    const id = isOtherPage(given, diagnostics) ? given : (topicNamed(given) ?? given);
    const finding = findingPage(findingId(id));
    const diagnostic = Object.hasOwn(diagnostics, id) ? diagnostics[id] : undefined;
    const topic = Object.hasOwn(topics, id) ? topics[id] : undefined;
    if (finding !== undefined) pages.push({ kind: 'finding', ...finding });
    else if (diagnostic !== undefined) pages.push({ kind: 'diagnostic', code: id, ...diagnostic });
    else if (topic !== undefined) {
      const made = await topicPage(id, topic, flags, messages);
      if (made.page !== undefined) pages.push(made.page);
      sources = made.sources;
    } else {
      const meant = didYouMean(id, [...Object.keys(findings), ...Object.keys(diagnostics), ...Object.keys(topics)]);
      messages.report({
        code: 'unknown-finding',
        severity: 'error',
        message: `${JSON.stringify(id)} is neither a finding, a diagnostic nor a topic`,
        at: [],
        hint: hintFor(id, meant, pages.at(-1)),
      });
    }
  }
  return { pages, sources };
}

/** The name of a diagnostic is nothing else. */
function isOtherPage(word: string, diagnostics: object): boolean {
  return Object.hasOwn(diagnostics, word);
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
  return 'k8snet explain --list names all findings and topics';
}

const serviceName = /^(?:[a-z0-9-]+\/)?[a-z0-9-]+$/;

/** Everything that can be explained. */
export async function explainList(): Promise<ExplainPage> {
  const [{ findingCatalogue }, { topics }] = await Promise.all([
    import('../findings/findingCatalogue.ts'),
    import('../explain/topics.ts'),
  ]);
  return {
    kind: 'list',
    findings: Object.entries(findingCatalogue)
      .sort(([one], [other]) => ascending(one, other))
      .map(([id, { severity, title, isAdvice }]) => ({ id, severity, title, isAdvice })),
    topics: Object.entries(topics)
      .sort(([one], [other]) => ascending(one, other))
      .map(([name, { title }]) => ({ name, title })),
  };
}

/** What the settings of a configuration change. */
export async function explainConfig(flags: ExplainFlags, messages: Messages): Promise<ExplainPages> {
  const { explainSettings } = await import('../explain/explainSettings.ts');
  const { options, sources } = await readInput({ ...flags, filename: [], live: undefined }, messages);
  const config = await readSettings(options, messages.report);
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
  const { title, about } = topic;
  const page = { kind: 'topic', name, title, about } as const;
  // What holds whatever the objects are does not need them.
  if (flags.filename === undefined || topic.kind === 'general') return { page, sources: noSources };
  const { explainTopic } = await import('../explain/explainTopic.ts');
  const { objects, options, sources } = await readInput({ ...flags, filename: flags.filename }, messages);
  const services = await explainTopic(topic, {
    compiled: () => compile(objects, options, messages.report),
    cluster: () => resolveCluster(objects, options, messages.report),
    counts: async () => {
      const checked = await checkObjects(objects, options, messages.report);
      return checked && modeCounts(checked);
    },
    only: flags.service,
  });
  if (services === undefined) return { sources };
  return { page: { ...page, services, ...(flags.service !== undefined && { only: flags.service }) }, sources };
}

/** `k8n203` and `203` are meant too. */
function findingId(text: string): FindingId {
  return (/^\d+$/.test(text) ? `K8N${text}` : text.toUpperCase()) as FindingId;
}
