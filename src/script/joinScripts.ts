import { lockFunctions } from './iptables/lockFunctions.ts';

/**
 * Several scripts as one, run in order; the first that fails ends it. Each runs in a subshell, so that each has its own
 * traps and its own way back, and the shell has read all of a script before it runs any of it. All of them run under one
 * lock: what another script wants comes before or after them, never between.
 */
export function* joinScripts(scripts: readonly Iterable<string>[]): Iterable<string> {
  // shellcheck does not see that subshells call their traps, and that each sets its own PATH.
  yield '#!/bin/sh\n# shellcheck disable=SC2030,SC2031,SC2317\nlocked=no\nset -eu\n';
  yield `\nfail() {\n  echo "k8snet: $1" >&2\n  exit 1\n}\n\n${lockFunctions}`;
  yield "trap drop_lock EXIT\ntrap 'exit 129' HUP\ntrap 'exit 130' INT\ntrap 'exit 143' TERM\ntake_lock\n";
  for (const script of scripts) {
    yield '\n(\n';
    let isFirst = true;
    for (const piece of script) {
      yield isFirst ? piece.replace(/^#!.*\n/, '').replace(/^locked=no$/m, 'locked=outside') : piece;
      isFirst = false;
    }
    yield ')\n';
  }
}
