/** A number as kubectl prints it; anything else stays as it is, and validation will report it. */
export function shownNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
