/**
 * A point in time as nanoseconds since 1970, from the text that the API writes (RFC 3339, any offset); undefined: not
 * one. It is a BigInt because a double cannot hold today's nanoseconds.
 */
export function parseTime(text: string): bigint | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(milliseconds);
  // Date.UTC carries over: the 31st of April would become the 1st of May.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  const [fraction, sign, hours, minutes] = [match[7] ?? '', match[8], Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * (sign === '-' ? -60_000 : 60_000);
  return BigInt(milliseconds - offset) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
