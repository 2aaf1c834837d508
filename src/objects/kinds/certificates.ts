import { nameOf } from '../../validate/fields/describe.ts';
import { quote } from '../../validate/fields/quote.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { SecretObject } from '../../validate/kinds/objectsBesideRules.ts';
import type { LintContext } from '../lintContext.ts';
import type { Certificate } from './certificate.ts';

/** Certificates that Ingresses serve: whether the Secret has one, for the host, today. */
export function certificates({ cluster, settings, complain }: LintContext): void {
  const { certificates: reading } = settings;
  const { secrets, ingresses } = cluster.manifests;
  if (reading === undefined || secrets.length === 0) return;
  const byName = new Map(secrets.map((secret) => [nameOf(secret.value.metadata), secret]));
  for (const ingress of ingresses) {
    const namespace = ingress.value.metadata.namespace || 'default';
    for (const [index, { hosts, secretName }] of (ingress.value.spec?.tls ?? []).entries()) {
      const secret = byName.get(`${namespace}/${secretName}`);
      if (secret === undefined) continue;
      for (const message of problemsOf(secret, hosts ?? [], reading)) {
        complain(ingress, { code: 'tls-certificate', path: ['spec', 'tls', index, 'secretName'], message });
      }
    }
  }
}

function problemsOf(
  { value }: Manifest<SecretObject>,
  hosts: readonly string[],
  { read, now }: NonNullable<LintContext['settings']['certificates']>,
): readonly string[] {
  const id = nameOf(value.metadata);
  const keys = Object.keys({ ...value.data, ...value.stringData });
  const own = pemOf(value, 'tls.crt');
  const problems: string[] = [];
  if (own === undefined) {
    problems.push(
      `Secret ${id} has no tls.crt, where an Ingress looks for its certificate: it has ${keys.join(', ') || 'no data'}`,
    );
  }
  const key = own === undefined ? keys.find((one) => /\.(?:crt|pem|cert)$/.test(one)) : 'tls.crt';
  const pem = key === undefined ? undefined : pemOf(value, key);
  if (key === undefined || pem === undefined) return problems;
  const certificate = read(pem);
  if (certificate === undefined) return [...problems, `${key} of Secret ${id} is not a certificate in PEM`];
  return [
    ...problems,
    ...hosts.flatMap((host) => hostProblem(id, certificate, host) ?? []),
    ...dateProblems(id, certificate, now),
  ];
}

function pemOf({ data, stringData }: SecretObject, key: string): string | undefined {
  const plain = stringData?.[key];
  if (typeof plain === 'string') return plain;
  const encoded = data?.[key];
  if (typeof encoded !== 'string') return undefined;
  try {
    return atob(encoded.replace(/\s/g, ''));
  } catch {
    return '';
  }
}

/** Browsers and Go ask the subjectAltNames alone; the common name has counted for nothing since 2017 and Go 1.15. */
function hostProblem(id: string, { alternativeNames, commonName }: Certificate, host: string): string | undefined {
  const asked = host.toLowerCase();
  if (alternativeNames.some((name) => covers(name.toLowerCase(), asked))) return undefined;
  const names =
    alternativeNames.length > 0
      ? alternativeNames.join(', ')
      : `${commonName} (by common name alone, which clients ignore)`;
  return `the certificate of Secret ${id} is not for ${quote(host)}: it is for ${names}`;
}

function covers(name: string, host: string): boolean {
  return (
    name === host || (name.startsWith('*.') && host.includes('.') && host.slice(host.indexOf('.')) === name.slice(1))
  );
}

function dateProblems(id: string, { notBefore, notAfter }: Certificate, now: number): readonly string[] {
  if (now > notAfter) return [`the certificate of Secret ${id} expired on ${dayOf(notAfter)}`];
  return now < notBefore ? [`the certificate of Secret ${id} is valid from ${dayOf(notBefore)} on only`] : [];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
