/** A number as kubectl prints it; what is none stays as it is, to be found wrong with everything else. */
export function shownNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
