/** `1 Service`, `2 Services`; `1 policy`, `2 policies` where the plural is given. */
export function count(number: number, what: string, plural = `${what}s`): string {
  return `${number} ${number === 1 ? what : plural}`;
}
