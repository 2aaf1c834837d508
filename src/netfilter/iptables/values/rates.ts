/**
 * A rate as iptables-save prints it: in the smallest unit of second, minute, hour and day in which the kernel's period
 * still comes out even (`60/minute` is `1/sec`). `scale` is how many ticks the match counts a second in. Rates in bytes
 * and what is no rate stay as they are.
 */
export function canonicalRate(text: string, scale: number): string {
  const parts = ratePattern.exec(text);
  if (!parts) {
    return text;
  }
  const count = Number(parts[1]);
  const unit = unitNamed(parts[2]);
  const period = unit ? Math.floor((scale * unit.seconds) / count) : 0;
  if (!unit || period === 0) {
    return text;
  }
  let smallest: Unit = units[0];
  for (const { name, seconds } of units.slice(1)) {
    const ticks = seconds * scale;
    if (period > ticks || Math.floor(ticks / period) < ticks % period) {
      break;
    }
    smallest = { name, seconds };
  }
  return `${Math.floor((smallest.seconds * scale) / period)}/${smallest.name}`;
}

/** How many seconds the unit of a rate has; undefined: a rate in bytes, or none. */
export function rateUnit(text: string): number | undefined {
  const parts = ratePattern.exec(text);
  return parts ? unitNamed(parts[2])?.seconds : undefined;
}

function unitNamed(name = 'sec'): Unit | undefined {
  return units.find((unit) => unit.name.charAt(0) === name.charAt(0));
}

const ratePattern = /^(\d{1,9})(?:\/(s|sec|second|m|min|minute|h|hour|d|day))?$/;

interface Unit {
  readonly name: string;
  readonly seconds: number;
}

const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'min', seconds: 60 },
  { name: 'sec', seconds: 1 },
] as const satisfies readonly Unit[];
