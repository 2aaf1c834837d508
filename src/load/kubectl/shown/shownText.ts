/** A text of kubectl that stands for something. */
export function shownText(text: string | undefined): string | undefined {
  const value = text?.trim();
  return value === undefined || value === '' || /^<(?:none|unset|unknown)>$/.test(value) ? undefined : value;
}
