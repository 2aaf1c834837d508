/** Whether a text names somebody by a URL of the web. */
export function isUrl(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//i.test(text);
}
