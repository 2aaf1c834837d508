/** `2h59m59s916ms`, `10800s` or `3600` to milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (parts === null || text === '') {
    return undefined;
  }
  const [days, hours, minutes, seconds, milliseconds] = parts.slice(1).map((digits) => Number(digits ?? 0));
  return ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + (milliseconds ?? 0);
}

/** As a listing writes it: days, hours, minutes, seconds, milliseconds, without the parts that are zero. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
    [milliseconds % 1000, 'ms'],
  ];
  const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  return text === '' ? '0s' : text;
}

/** As a transaction, and a listing with `-n`, writes it: whole seconds. */
export function formatSeconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)}s`;
}
