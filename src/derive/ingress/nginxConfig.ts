import type { HostPlan, IngressPlan, IngressTarget, Location, TlsSecret, Upstream } from './ingressPlan.ts';

/** Where nginx listens, and where it finds certificates. */
export interface NginxOptions {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Without a dollar sign, which nginx would take for a variable. */
  readonly tlsDir: string;
}

/** The plan as a complete configuration of nginx 1.22 or newer, line by line. */
export function* nginxConfig(plan: IngressPlan, options: NginxOptions): Iterable<string> {
  yield 'events {}';
  yield '';
  yield 'http {';
  yield* preamble(plan).map(indented);
  for (const upstream of plan.upstreams) yield* block(upstreamLines(upstream));
  for (const host of plan.hosts) {
    if (host.redirects) yield* block(redirectServer(host, options));
    yield* block(hostServer(host, options));
  }
  yield* block(unknownServer(plan, options));
  if (plan.hosts.some(({ tls }) => tls !== undefined)) yield* block(refusingServer(options));
  yield '}';
}

/** The names of the files that hold a Secret's certificate and key. */
export function tlsFileNames({ namespace, name }: TlsSecret): { readonly certificate: string; readonly key: string } {
  return { certificate: `${namespace}-${name}.crt`, key: `${namespace}-${name}.key` };
}

const headers: readonly string[] = [
  'proxy_set_header X-Real-IP $remote_addr;',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
  'proxy_set_header X-Forwarded-Proto $scheme;',
  'proxy_set_header Upgrade $http_upgrade;',
  'proxy_set_header Connection $connection_upgrade;',
];

/** Paths count as they are written: neither doubled slashes nor the case of letters is made equal. */
function preamble({ hosts, resolvers }: IngressPlan): readonly string[] {
  return [
    'server_tokens off;',
    'merge_slashes off;',
    'server_names_hash_bucket_size 512;',
    `server_names_hash_max_size ${Math.max(1024, 4 * hosts.length)};`,
    'proxy_http_version 1.1;',
    'proxy_set_header Host $http_host;',
    ...headers,
    ...(resolvers.length === 0 ? [] : [`resolver ${resolvers.map(bracketed).join(' ')};`]),
    'map $http_upgrade $connection_upgrade {',
    '    default upgrade;',
    '    "" "";',
    '}',
  ];
}

function bracketed(ip: string): string {
  return ip.includes(':') ? `[${ip}]` : ip;
}

/** An endpoint that fails once is not left out for others: who is ready was decided before. */
function upstreamLines({ name, servers }: Upstream): readonly string[] {
  return [`upstream ${name} {`, ...servers.map((server) => `    server ${server} max_fails=0;`), '}'];
}

function hostServer({ host, tls, redirects, locations }: HostPlan, options: NginxOptions): readonly string[] {
  return [
    'server {',
    ...(redirects ? [] : [`    listen ${options.httpPort};`]),
    ...(tls === undefined ? [] : [`    listen ${options.httpsPort} ssl;`]),
    `    server_name ${serverName(host)};`,
    ...(tls === undefined ? [] : certificateLines(tls, options)),
    ...locations.flatMap(locationLines),
    '}',
  ];
}

function redirectServer({ host }: HostPlan, { httpPort }: NginxOptions): readonly string[] {
  return [
    'server {',
    `    listen ${httpPort};`,
    `    server_name ${serverName(host)};`,
    '    return 308 https://$host$request_uri;',
    '}',
  ];
}

function unknownServer({ unknownHosts }: IngressPlan, { httpPort }: NginxOptions): readonly string[] {
  return [
    'server {',
    `    listen ${httpPort} default_server;`,
    '    server_name _;',
    ...unknownHosts.flatMap(locationLines),
    '}',
  ];
}

/** TLS for any other name: no certificate would fit. A known name in the handshake and another in the request: 421. */
function refusingServer({ httpsPort }: NginxOptions): readonly string[] {
  return [
    'server {',
    `    listen ${httpsPort} ssl default_server;`,
    '    server_name _;',
    '    ssl_reject_handshake on;',
    '    return 421;',
    '}',
  ];
}

/** Nginx's own wildcard would cover several labels. */
function serverName(host: string): string {
  return host.startsWith('*.') ? nginxWord(`~^[^.]+${host.slice(1).replaceAll('.', '\\.')}$`) : host;
}

function certificateLines(secret: TlsSecret, { tlsDir }: NginxOptions): readonly string[] {
  const { certificate, key } = tlsFileNames(secret);
  return [
    `    ssl_certificate ${nginxWord(`${tlsDir}/${certificate}`)};`,
    `    ssl_certificate_key ${nginxWord(`${tlsDir}/${key}`)};`,
  ];
}

function locationLines({ path, isExact, target }: Location): readonly string[] {
  return [
    `    location ${isExact ? '= ' : ''}${nginxWord(path)} {`,
    ...targetLines(target).map((line) => `        ${line}`),
    '    }',
  ];
}

function targetLines(target: IngressTarget): readonly string[] {
  if (target.kind === 'status') return [`return ${target.status};`];
  const scheme = target.isHttps ? 'https' : 'http';
  if (target.kind === 'upstream') return [`proxy_pass ${scheme}://${target.name};`];
  // Only a name in a variable is looked up at run time.
  return [
    `set $backend_host ${target.host};`,
    'proxy_set_header Host $backend_host;',
    ...headers,
    ...(target.isHttps ? ['proxy_ssl_server_name on;', 'proxy_ssl_name $backend_host;'] : []),
    `proxy_pass ${scheme}://$backend_host:${target.port};`,
  ];
}

function block(lines: readonly string[]): readonly string[] {
  return ['', ...lines.map(indented)];
}

function indented(line: string): string {
  return line === '' ? line : `    ${line}`;
}

/**
 * A text as one word of an nginx configuration, whatever it holds. A dollar sign stays what it is: the caller decides
 * whether the directive looks for variables.
 */
function nginxWord(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
