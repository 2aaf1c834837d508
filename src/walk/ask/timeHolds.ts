/**
 * `-m time` at a point in time, as the kernel counts: in UTC, seconds of the day with both ends included. With
 * --contiguous, a span over midnight belongs to the day on which it began. Undefined: an unknown option, or a time zone
 * that only the node knows.
 */
export function timeHolds(options: ReadonlyMap<string, string>, at: Date): boolean | undefined {
  if ([...options.keys()].some((name) => !known.has(name))) return undefined;
  const seconds = Math.floor(at.getTime() / 1000);
  const [from, to] = [dateOf(options.get('datestart')), dateOf(options.get('datestop'))];
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  if ((from !== undefined && seconds < from) || (to !== undefined && seconds > to)) return false;
  const start = secondsOfDay(options.get('timestart') ?? '00:00:00');
  const stop = secondsOfDay(options.get('timestop') ?? '23:59:59');
  if (start === undefined || stop === undefined) return undefined;
  const time = seconds % day;
  const isOverMidnight = start >= stop;
  if (isOverMidnight ? time < start && time > stop : time < start || time > stop) return false;
  const began = isOverMidnight && options.has('contiguous') && time <= stop ? seconds - day : seconds;
  const date = new Date(began * 1000);
  const weekday = weekdays[date.getUTCDay()] ?? '';
  return (
    isListed(
      options,
      'weekdays',
      (word) => word.toLowerCase().slice(0, 3) === weekday || word === `${date.getUTCDay() || 7}`,
    ) && isListed(options, 'monthdays', (word) => Number(word) === date.getUTCDate())
  );
}

const known: ReadonlySet<string> = new Set([
  'datestart',
  'datestop',
  'timestart',
  'timestop',
  'weekdays',
  '! weekdays',
  'monthdays',
  '! monthdays',
  'contiguous',
  'utc',
]);

const day = 86_400;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function isListed(options: ReadonlyMap<string, string>, name: string, isOne: (word: string) => boolean): boolean {
  const [listed, excluded] = [options.get(name), options.get(`! ${name}`)];
  return (listed?.split(',').some(isOne) ?? true) && !(excluded?.split(',').some(isOne) ?? false);
}

/** NaN: not a date. */
function dateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, date, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  return Math.floor(Date.parse(`${date}T${time}Z`) / 1000);
}

function secondsOfDay(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
