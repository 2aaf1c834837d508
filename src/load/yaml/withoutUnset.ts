/** The fields that have a value: what kubectl does not show stays unset. */
export function withoutUnset(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
