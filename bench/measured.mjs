// Runs the built command line in this process and writes what it used to file descriptor 3 when it ends.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ peakMB: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
});
process.argv[1] = new URL('../bin/k8snet.cjs', import.meta.url).pathname;
await import('../bin/k8snet.cjs');
