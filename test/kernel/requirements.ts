import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { type LabNeed, missingNeeds as missingOfLab } from '../../src/lab/missingNeeds.ts';
import { runsInNamespace as runs } from '../../src/lab/runsInNamespace.ts';

const isRequired = process.env.K8SNET_REQUIRE_KERNEL === '1';

/** What a kernel test can need of the machine. */
export type Need = LabNeed | keyof typeof checks;

/**
 * A `test` for tests that need something of the machine: they skip, with the reason in the open, where it lacks
 * anything; with K8SNET_REQUIRE_KERNEL=1 they fail there instead. Namespaces, iproute2 and perl are always needed. The
 * machine is asked once, so call this once a file.
 */
export function kernelTests(needs: readonly Need[]): (name: string, run: () => Promise<void> | void) => void {
  const missing = missingNeeds(needs);
  const reason = missing.length > 0 ? `this machine lacks ${missing.join('; ')}` : undefined;
  return (name, run) => {
    test(name, { skip: isRequired ? false : (reason ?? false) }, async () => {
      if (reason !== undefined) throw new Error(`K8SNET_REQUIRE_KERNEL=1, and ${reason}`);
      await run();
    });
  };
}

/** What is missing, in words; empty: nothing. */
export function missingNeeds(needs: readonly Need[]): readonly string[] {
  const missing = missingOfLab(needs.filter((need): need is LabNeed => !isOwn(need)));
  // Without namespaces nothing else can be tried.
  if (missing.some((text) => text.startsWith('network namespaces'))) return missing;
  return [...missing, ...needs.filter(isOwn).flatMap((need) => checks[need]() ?? [])];
}

function isOwn(need: Need): need is keyof typeof checks {
  return need in checks;
}

/** What the lab itself has no use for. */
const checks = {
  bind: () => (runs('named -v; named-checkconf -h || :; dig -v') ? undefined : 'named and dig (bind9, dnsutils)'),
  musl: () => (runs('musl-gcc --version') ? undefined : 'musl-gcc (musl-tools)'),
  nginx: () => (runs('nginx -v') ? undefined : 'nginx'),
  'nginx-stream': () =>
    existsSync('/usr/lib/nginx/modules/ngx_stream_module.so')
      ? undefined
      : "nginx's stream module (libnginx-mod-stream)",
  haproxy: () => (runs('haproxy -v') ? undefined : 'haproxy'),
  openssl: () => (runs('openssl version') ? undefined : 'openssl'),
} satisfies Record<string, () => string | undefined>;
