import { readFileSync } from 'node:fs';

/** What the agent and its child processes have consumed so far. */
export interface ProcessCosts {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly startSeconds: number;
  readonly programsCpuSeconds: number;
}

export function processCosts(): ProcessCosts {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    startSeconds: Date.now() / 1000 - process.uptime(),
    programsCpuSeconds: programsCpuSeconds(),
  };
}

/**
 * From `/proc/self/stat`, after the name of the program: the time of children that have ended, in hundredths of a
 * second (man 5 proc).
 */
function programsCpuSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}
