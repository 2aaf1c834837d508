/**
 * iptables-legacy locks a file of the whole machine. Its namespace is a file as well, and so every namespace has a lock
 * of its own that leaves nothing behind.
 */
export function labEnvironment(): NodeJS.ProcessEnv {
  const path = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;
  return { ...process.env, PATH: path, LC_ALL: 'C', XTABLES_LOCKFILE: '/proc/self/ns/net' };
}
