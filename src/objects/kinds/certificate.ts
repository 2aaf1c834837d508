/** What a server shows of itself by X.509 (RFC 5280). */
export interface Certificate {
  /** Of its subject; empty: it has none. */
  readonly commonName: string;
  /** DNS names and addresses of subjectAltName. */
  readonly alternativeNames: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** How certificates are read, which needs a library that browsers do not have, and the time they are asked for. */
export interface CertificateReading {
  /** Undefined: not a certificate. */
  readonly read: (pem: string) => Certificate | undefined;
  readonly now: number;
}
