/**
 * Several scripts as one, run in order; the first that fails ends it. Each runs in a subshell, so that each has its own
 * traps and its own way back, and the shell has read all of a script before it runs any of it.
 */
export function* joinScripts(scripts: readonly Iterable<string>[]): Iterable<string> {
  // shellcheck does not see that subshells call their traps, and that each sets its own PATH.
  yield '#!/bin/sh\n# shellcheck disable=SC2030,SC2031,SC2317\nset -eu\n';
  for (const script of scripts) {
    yield '\n(\n';
    let isFirst = true;
    for (const piece of script) {
      yield isFirst ? piece.replace(/^#!.*\n/, '') : piece;
      isFirst = false;
    }
    yield ')\n';
  }
}
