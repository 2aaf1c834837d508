/** A reference with its address, where it has one. */
export interface ReferenceLink {
  readonly text: string;
  readonly url?: string;
}

/** Of `KEP-3866`, `CVE-2020-8554`, `kubernetes/kubernetes#123`, an address, or a text of another kind. */
export function linksOf(refs: readonly string[] = []): readonly ReferenceLink[] {
  return refs.map((text) => {
    const url = urlOf(text);
    return url === undefined ? { text } : { text, url };
  });
}

function urlOf(ref: string): string | undefined {
  if (ref.startsWith('https://')) return ref;
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(ref);
  if (issue !== null) return `https://github.com/${issue[1]}/issues/${issue[2]}`;
  const kep = /^KEP-(\d+)$/.exec(ref);
  if (kep !== null) return `https://kep.k8s.io/${kep[1]}`;
  if (/^CVE-\d+-\d+$/.test(ref)) return `https://www.cve.org/CVERecord?id=${ref}`;
  const bug = /^netfilter bug (\d+)$/.exec(ref);
  return bug === null ? undefined : `https://bugzilla.netfilter.org/show_bug.cgi?id=${bug[1]}`;
}
