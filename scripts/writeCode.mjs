// Writes the engine's code for the bundle that is given, as src/cli/cachedRun.ts reads it: of what small runs need. A
// process of its own, as the code depends on Node's flags; plain JavaScript, so that nothing else is loaded.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

const file = process.argv[2];
const script = new Script(readFileSync(file, 'latin1'), { filename: file });
const load = (path) => import(new URL(path, pathToFileURL(file)).href);
const { run } = script.runInThisContext()(createRequire(file), load, { exports: {} });

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { clusterIP: '10.96.0.10', selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
};
const slice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: [{ addresses: ['10.244.0.5'], conditions: { ready: true }, nodeName: 'node-1' }],
};
const yaml = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIP: 10.96.0.10
  ports:
  - port: 80
    name: "http"
`;

const scratch = mkdtempSync(join(tmpdir(), 'k8snet-code-'));
try {
  const json = join(scratch, 'list.json');
  writeFileSync(json, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service, slice] }));
  writeFileSync(join(scratch, 'service.yaml'), yaml);
  for (const path of [json, join(scratch, 'service.yaml')]) {
    for (const form of ['save', 'restore']) {
      const status = await run(['compile', '-q', '-f', path, '-o', form]);
      if (status !== 0) throw new Error(`compile -f ${path} ended with ${status}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const code = file.replace(/\.cjs$/, `-${process.version}-${process.platform}-${process.arch}.code`);
writeFileSync(code, script.createCachedData());
