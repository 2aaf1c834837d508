/** A version's section of CHANGELOG.md. */
export interface ChangelogSection {
  /** YYYY-MM-DD; undefined: not released yet. */
  readonly date: string | undefined;
  readonly text: string;
}

/** The section `## VERSION (YYYY-MM-DD)` or `## VERSION (unreleased)`, without its heading; undefined: there is none. */
export function changelogSection(changelog: string, version: string): ChangelogSection | undefined {
  for (const section of changelog.split(/^(?=## )/m)) {
    const [heading = '', ...lines] = section.split('\n');
    const [, name, date] = /^## (\S+) \((\d{4}-\d\d-\d\d|unreleased)\)$/.exec(heading) ?? [];
    if (name !== version) continue;
    return { date: date === 'unreleased' ? undefined : date, text: `${lines.join('\n').trim()}\n` };
  }
  return undefined;
}
