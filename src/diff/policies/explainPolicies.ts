import { firstFew } from '../../common/text/firstFew.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Origin } from '../../diagnostics/diagnostic.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import type { DumpPlace } from '../../node/lines/chainLines.ts';
import type { NodePolicies } from '../../policy/nodePolicies.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import { addressStatements } from './addressStatements.ts';
import type { ChangeAbout } from './changeAbout.ts';
import type { ComparedPolicies } from './comparedPolicies.ts';
import { podNames } from './endsText.ts';
import type { AddressStatements, Statement } from './statement.ts';

/**
 * What differing rules of policies mean: whose connections they deny and should not, or allow and should not. Every address
 * that a differing rule is about is asked with all packets; one finding tells the same of several. Changes that no finding
 * explains are left.
 */
export function explainPolicies(
  all: readonly ComparedPolicies[],
  node: NodePolicies,
): { readonly findings: readonly Finding[]; readonly changes: readonly RuleChange[] } {
  const names = podNames(node.model);
  const drafts = new Map<string, Draft>();
  const changes: RuleChange[] = [];
  for (const one of all) {
    const known = new Map<string, AddressStatements>();
    const pods = node.localAddresses(one.family);
    const statementsOn = (address: string): AddressStatements => {
      const own = known.get(address) ?? addressStatements(address, pods.get(address)?.[0], one, node, names);
      known.set(address, own);
      return own;
    };
    for (const change of one.changes) {
      const statements = statementsFor(one.aboutOf(change), statementsOn);
      if (statements.length === 0) changes.push(change);
      // The first finding shows it.
      for (const [at, each] of statements.entries()) note(each, change, at === 0, drafts);
    }
  }
  const findings = [...drafts.values()].sort(byOrder);
  return { findings: findings.map(findingOf), changes };
}

function statementsFor(about: ChangeAbout, statementsOn: (address: string) => AddressStatements): readonly Statement[] {
  if (about.kind === 'hook') return [withoutHook(about.chain)];
  if (about.kind === 'unused') return [sameRules];
  const asked = about.gates.map(({ address, direction }) => ({ ...statementsOn(address), direction }));
  const own = asked.flatMap(({ statements, direction }) =>
    statements.filter(({ directions }) => directions.includes(direction)),
  );
  if (own.length > 0) return [...new Map(own.map((each) => [each.key + each.subject, each])).values()].sort(byOrder);
  if (about.kind === 'entry') {
    const [other] = asked.flatMap(({ statements }) => statements);
    if (other !== undefined) return [other];
  }
  const areSame = asked.length > 0 && asked.every(({ same, direction }) => same.includes(direction));
  // Packets come in by several hooks, and those of one of them were asked.
  return areSame && (about.kind === 'gates' || asked.every(({ isWithoutRules }) => isWithoutRules)) ? [sameRules] : [];
}

function withoutHook(chain: string): Statement {
  return {
    code: 'K8N218',
    key: 'hook',
    what: (chains, isOne) => `${chains} ${isOne ? 'does' : 'do'} not lead to the rules of policies`,
    subject: chain,
    directions: [],
    places: [],
  };
}

const sameRules: Statement = {
  code: 'K8N222',
  key: 'same',
  what: () => 'rules of policies differ from those of the manifests, and allow and deny the same',
  subject: '',
  directions: [],
  places: [],
};

/** A finding in the making. */
interface Draft {
  readonly code: FindingCode;
  readonly what: Statement['what'];
  readonly subjects: Set<string>;
  readonly places: Set<Origin>;
  /** Of the first rule that it is about. */
  readonly found: DumpPlace | undefined;
  readonly rules: RuleChange[];
}

function note(statement: Statement, change: RuleChange, isShown: boolean, drafts: Map<string, Draft>): void {
  const { code, key, what, subject, places } = statement;
  const id = `${code} ${key}`;
  const draft = drafts.get(id) ?? {
    code,
    what,
    subjects: new Set(),
    places: new Set(),
    found: change.place,
    rules: [],
  };
  drafts.set(id, draft);
  draft.subjects.add(subject);
  for (const place of places) draft.places.add(place);
  if (isShown) draft.rules.push(change);
}

function byOrder(one: { readonly code: FindingCode }, other: { readonly code: FindingCode }): number {
  return order.indexOf(one.code) - order.indexOf(other.code);
}

/** What is open and should not be comes first. */
const order: readonly FindingCode[] = ['K8N218', 'K8N220', 'K8N219', 'K8N221', 'K8N222'];

function findingOf({ code, what, subjects, places, found, rules }: Draft): Finding {
  return makeFinding(code, {
    what: what(firstFew([...subjects], mostSubjects), subjects.size === 1),
    places: [...places],
    found: found === undefined ? [] : [found],
    ...(rules.length > 0 && { rules }),
  });
}

const mostSubjects = 3;
