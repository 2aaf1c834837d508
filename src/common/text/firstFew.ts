/** `a, b and 3 more`: the first texts of many, and how many are left. */
export function firstFew(texts: readonly (string | number)[], most: number): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}
