import { type Family, familyNames } from '../common/addresses/family.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Artefact } from './artefact.ts';

/**
 * The text for standard output, for one family: the requested one; otherwise that of the Services; if both have some,
 * the node's primary one. A note says what was left out. The script, and a list, always cover all families.
 * `policyFamilies`: the artifacts are those of policies, which concern Pods of these families.
 */
export function chooseForStdout(
  compiled: Compiled,
  artefacts: readonly Artefact[],
  form: 'save' | 'restore' | 'script' | 'list',
  asked: Family | 'both',
  report: Report,
  policyFamilies?: readonly Family[],
): Iterable<string> {
  if (form === 'restore' && !modeFacts[compiled.dialect.mode].hasRestoreText && policyFamilies === undefined) {
    report(notRestored);
    return [];
  }
  const ofForm = artefacts.filter((artefact) => artefact.form === form);
  if (form === 'script' || form === 'list') return textsOf(ofForm, false);
  const family = asked === 'both' ? chooseFamily(compiled, policyFamilies, report) : asked;
  const chosen = ofForm.filter((artefact) => artefact.family === family);
  // Several texts of one mode (IPVS) are told apart by a line that all their readers pass over.
  return textsOf(chosen, chosen.length > 1);
}

function* textsOf(artefacts: readonly Artefact[], isNamed: boolean): Iterable<string> {
  for (const artefact of artefacts) {
    if (isNamed) yield `# ${artefact.name}\n`;
    yield* artefact.text();
  }
}

const notRestored: Diagnostic = {
  code: 'bad-option',
  severity: 'error',
  message: 'kube-proxy adds each rule of userspace mode by itself: there is no text for iptables-restore',
  at: [],
  hint: 'the script prints commands, save prints the rules',
};

function chooseFamily(compiled: Compiled, policyFamilies: readonly Family[] | undefined, report: Report): Family {
  const used = policyFamilies ?? compiled.plans.filter((plan) => plan.services.length > 0).map((plan) => plan.family);
  const primary = compiled.model.node.primaryFamily;
  const family = used.length === 1 ? (used[0] as Family) : primary;
  const other = family === 'ipv4' ? 'ipv6' : 'ipv4';
  if (used.includes(other)) {
    report({
      code: 'family-left-out',
      severity: 'note',
      message: `only the ${familyNames[family]} rules are printed; the input has ${familyNames[other]} ${policyFamilies ? 'Pods' : 'Services'} too`,
      at: [],
      hint: `--family ${other} prints those, --out-dir writes all`,
    });
  }
  return family;
}
