/**
 * A port or range of ports as iptables-save prints it (`80:80` is `80`, `:1024` is `0:1024`, names become numbers);
 * undefined for the range of all ports, which it leaves out. A name that is not known here stays as it is.
 */
export function canonicalPortRange(text: string): string | undefined {
  const at = text.indexOf(':');
  if (at === -1) {
    return portNumber(text);
  }
  const first = at === 0 ? '0' : portNumber(text.slice(0, at));
  const last = at === text.length - 1 ? '65535' : portNumber(text.slice(at + 1));
  if (first === '0' && last === '65535') {
    return undefined;
  }
  return first === last ? first : `${first}:${last}`;
}

/** The number of a service name; a number itself and unknown names are given back. */
export function portNumber(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 0x31 && code <= 0x39 ? text : (services.get(text) ?? text);
}

/** The names of /etc/services that show up in rules written by hand; the number is the same for TCP and UDP. */
const services: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'ftp-data': '20',
    ftp: '21',
    ssh: '22',
    telnet: '23',
    smtp: '25',
    time: '37',
    domain: '53',
    bootps: '67',
    bootpc: '68',
    tftp: '69',
    http: '80',
    www: '80',
    kerberos: '88',
    pop3: '110',
    sunrpc: '111',
    auth: '113',
    ntp: '123',
    'netbios-ns': '137',
    'netbios-dgm': '138',
    'netbios-ssn': '139',
    imap2: '143',
    imap: '143',
    snmp: '161',
    'snmp-trap': '162',
    bgp: '179',
    ldap: '389',
    https: '443',
    'microsoft-ds': '445',
    submissions: '465',
    isakmp: '500',
    syslog: '514',
    submission: '587',
    ldaps: '636',
    'domain-s': '853',
    rsync: '873',
    imaps: '993',
    pop3s: '995',
    openvpn: '1194',
    'ms-sql-s': '1433',
    radius: '1812',
    nfs: '2049',
    mysql: '3306',
    'ipsec-nat-t': '4500',
    sip: '5060',
    'sip-tls': '5061',
    mdns: '5353',
    postgresql: '5432',
    amqp: '5672',
    redis: '6379',
    'http-alt': '8080',
    webcache: '8080',
  }),
);
