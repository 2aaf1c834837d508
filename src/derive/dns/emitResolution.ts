import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Emitted } from '../emitted.ts';
import type { PodDnsSettings } from '../podDns/podDns.ts';
import type { DnsIndex } from './dnsIndex.ts';
import type { DnsSettings } from './dnsSettings.ts';
import { type Asker, questionFrom } from './questionFrom.ts';
import { resolutionJson, resolutionText } from './resolutionForms.ts';
import { type Question, resolveName } from './resolveName.ts';

interface Asked {
  readonly index: DnsIndex;
  readonly settings: DnsSettings;
  readonly asker: Asker;
  readonly asked: Pick<Question, 'name' | 'type' | 'resolver'>;
  /** What the asker's kubelet knows. */
  readonly pod: PodDnsSettings;
  readonly form: 'text' | 'json';
}

/** `--resolve`: what the asker gets for a name. A name that is not found is a finding. */
export function emitResolution(
  cluster: Cluster,
  { index, settings, asker, asked, pod, form }: Asked,
  report: Report,
): Emitted | undefined {
  const question = questionFrom(cluster, asker, asked, pod, report);
  if (question === undefined) return undefined;
  const server = { index, settings, namespaces: existingNamespaces(cluster, settings.namespaces) };
  const resolution = resolveName(server, question);
  const text = [resolutionText(question, resolution)];
  const json = [resolutionJson(question, resolution)];
  return {
    printed: form === 'json' ? json : text,
    files: [
      { name: 'resolution.txt', form: 'state', text: () => text },
      { name: 'resolution.json', form: 'state', text: () => json },
    ],
    hasFindings: resolution.result === 'not-found',
  };
}

/** The namespaces whose names are served. */
function existingNamespaces({ namespaces }: Cluster, served: ReadonlySet<string> | undefined): ReadonlySet<string> {
  return served === undefined ? namespaces : new Set([...namespaces].filter((name) => served.has(name)));
}
