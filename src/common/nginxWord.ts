/**
 * A text as one word of an nginx configuration, whatever it holds. A dollar sign stays what it is: the caller decides
 * whether the directive looks for variables.
 */
export function nginxWord(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
