import type { FindingEntry } from '../../findings/catalogue/findingEntry.ts';
import type { FindingId } from '../../findings/finding.ts';
import { findingCatalogue } from '../../findings/findingCatalogue.ts';
import { findingExamples } from './findingExamples.ts';

/** All that there is to say about one finding. */
export interface FindingPage extends FindingEntry {
  readonly id: FindingId;
  readonly example: string;
  /** Whether it makes a comparison fail. */
  readonly effect: string;
  /** References with their addresses, where they have one. */
  readonly links: readonly { readonly text: string; readonly url?: string }[];
}

/** The page of an id; undefined: there is no such finding. */
export function findingPage(id: FindingId): FindingPage | undefined {
  const entry = Object.hasOwn(findingCatalogue, id) ? findingCatalogue[id] : undefined;
  if (entry === undefined) return undefined;
  const links = entry.refs.map((text) => {
    const url = urlOf(text);
    return url === undefined ? { text } : { text, url };
  });
  return { ...entry, id, example: findingExamples[id] ?? '', effect: effectOf(entry), links };
}

function effectOf({ severity, isAdvice }: FindingEntry): string {
  if (isAdvice) return 'It is about manifests, settings or kube-proxy’s design, and fails a run only under --fail-on.';
  return severity === 'info' ? 'It fails no run.' : 'It makes diff and doctor end with 1.';
}

function urlOf(ref: string): string | undefined {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(ref);
  if (issue !== null) return `https://github.com/${issue[1]}/issues/${issue[2]}`;
  const kep = /^KEP-(\d+)$/.exec(ref);
  if (kep !== null) return `https://kep.k8s.io/${kep[1]}`;
  if (/^CVE-\d+-\d+$/.test(ref)) return `https://www.cve.org/CVERecord?id=${ref}`;
  const bug = /^netfilter bug (\d+)$/.exec(ref);
  return bug === null ? undefined : `https://bugzilla.netfilter.org/show_bug.cgi?id=${bug[1]}`;
}
