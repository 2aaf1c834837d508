import { compareBytes } from '../common/compareBytes.ts';
import { inPieces } from '../common/inPieces.ts';
import type { EmittedFile } from '../derive/emitted.ts';
import type { IngressPlan, TlsSecret } from '../derive/ingress/ingressPlan.ts';
import { type NginxOptions, nginxConfig, tlsFileNames } from '../derive/ingress/nginxConfig.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { SecretObject } from '../validate/kinds/objectsBesideRules.ts';

/** What `k8snet emit ingress --out-dir` writes: the configuration, and the certificates that are among the input. */
export function ingressFiles(
  plan: IngressPlan,
  options: NginxOptions,
  secrets: readonly Manifest<SecretObject>[],
  report: Report,
): readonly EmittedFile[] {
  const bySecret = new Map(secrets.map(({ value }) => [nameOf(value.metadata), value]));
  const files: EmittedFile[] = [
    { name: 'nginx.conf', form: 'state', text: () => inPieces(nginxConfig(plan, options)) },
  ];
  for (const [id, secret] of usedSecrets(plan)) {
    const certificate = decoded(bySecret.get(id), 'tls.crt');
    const key = decoded(bySecret.get(id), 'tls.key');
    if (certificate === undefined || key === undefined) {
      report({
        code: 'tls-secret-missing',
        severity: 'note',
        message: `the input has no Secret ${id} with tls.crt and tls.key: its files are not written`,
        at: [],
      });
      continue;
    }
    const names = tlsFileNames(secret);
    files.push({ name: names.certificate, form: 'secret', text: () => [certificate] });
    files.push({ name: names.key, form: 'secret', text: () => [key] });
  }
  return files;
}

function usedSecrets({ hosts }: IngressPlan): readonly (readonly [string, TlsSecret])[] {
  const used = new Map<string, TlsSecret>();
  for (const { tls } of hosts) if (tls !== undefined) used.set(`${tls.namespace}/${tls.name}`, tls);
  return [...used].sort(([a], [b]) => compareBytes(a, b));
}

/** Text in PEM form; `stringData` wins over `data`, which is in base64. */
function decoded(secret: SecretObject | undefined, key: string): string | undefined {
  const plain = secret?.stringData;
  if (plain && Object.hasOwn(plain, key)) return plain[key];
  const encoded = secret?.data && Object.hasOwn(secret.data, key) ? secret.data[key] : undefined;
  if (!encoded) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
