/** What a dump does not show, in a sentence that begins with its name. */
export function gapsText(name: string, gaps: readonly string[]): string {
  return `${name} does not show everything: ${gaps.join('; ')}`;
}
