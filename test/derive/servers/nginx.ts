import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './runJob.ts';

const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so';

/** A configuration in a folder of its own; the words that start nginx with it. That is a test of the configuration too. */
export function nginxCommand(config: string, { isStream = false } = {}): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-nginx-'));
  writeFileSync(join(folder, 'nginx.conf'), config);
  const directives = `pid ${folder}/pid; daemon off; user root;${isStream ? ` load_module ${streamModule};` : ''}`;
  const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  return [...command, '-g', directives];
}

/** A certificate and key in a folder, as `NAME.crt` and `NAME.key`. */
export function makeCertificate(folder: string, name: string, host: string): void {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  runTool([
    'openssl',
    'req',
    '-x509',
    ...curve,
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${host}`,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
}
