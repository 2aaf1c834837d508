/**
 * `helm install --dry-run`, `helm get all` and `helm upgrade` print manifests with the release's state before and its
 * notes behind them. Both become blanks, so that everything else stays where it stood.
 */
export function withoutHelmTalk(text: string): string {
  if (!/^(?:[^\n]*\n){0,3}NAME: \S+\r?\nLAST DEPLOYED: /.test(text.slice(0, 1000))) return text;
  const section = /^(?:HOOKS|MANIFEST):[^\n]*\n(?:[ \t\r]*\n)*---/m.exec(text);
  if (section === null) return text;
  const from = section.index + section[0].length - '---'.length;
  const notes = text.slice(from).search(/^NOTES:\s*$/m);
  const end = notes === -1 ? text.length : from + notes;
  const manifests = text.slice(from, end).replace(/^(?:HOOKS|MANIFEST):[^\n]*$/gm, blanked);
  return blanked(text.slice(0, from)) + manifests + blanked(text.slice(end));
}

function blanked(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
