/** Ports from `first` to `last`. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The API server's default --service-node-port-range. */
export const usualNodePorts: PortRange = { first: 30_000, last: 32_767 };

/**
 * Reads a range as kube-proxy does: `A-B`, `A+N` (N more than A), or one port. Undefined: not a range, or none (`0-0`,
 * an empty text).
 */
export function parsePortRange(text: string): PortRange | undefined {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : match[2] === '-' ? Number(match[3]) : first + Number(match[3]);
  return first >= 1 && first <= last && last <= 65_535 ? { first, last } : undefined;
}
