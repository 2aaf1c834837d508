import { closeSync, openSync, writeSync } from 'node:fs';
import { type ClusterSize, clusterJson, clusterYaml } from './cluster.ts';

/** Writes a made-up cluster as one JSON List or as multi-document YAML. */
export function makeCluster(file: string, size: ClusterSize, format: 'json' | 'yaml'): void {
  const descriptor = openSync(file, 'w');
  let slab = '';
  for (const piece of format === 'json' ? clusterJson(size) : clusterYaml(size)) {
    slab += piece;
    if (slab.length < 1 << 20) continue;
    writeSync(descriptor, slab);
    slab = '';
  }
  writeSync(descriptor, slab);
  closeSync(descriptor);
}
