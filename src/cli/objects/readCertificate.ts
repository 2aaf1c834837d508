import { X509Certificate } from 'node:crypto';
import type { Certificate } from '../../objects/kinds/certificate.ts';

/** The first certificate of a PEM text, which is the server's own; undefined if it has no certificate. */
export function readCertificate(pem: string): Certificate | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    return undefined;
  }
  const { subject, subjectAltName = '', validFrom, validTo } = certificate;
  return {
    commonName: /^CN=(.*)$/m.exec(subject)?.[1] ?? '',
    alternativeNames: [...subjectAltName.matchAll(/(?:^|, )(?:DNS|IP Address):([^,"]+)/g)].map(([, name = '']) => name),
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
  };
}
