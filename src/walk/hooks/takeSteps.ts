import type { Branch, Rejection, Step } from '../../netfilter/meaning.ts';
import { branchOf } from '../../netfilter/nft/meaning/statementMeaning.ts';
import { unknownAnswer } from '../ask/answers.ts';
import { ask } from '../ask/ask.ts';
import { lookInto } from '../ask/lookInto.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { changeFlow } from './changeFlow.ts';
import { type Translated, translate } from './nat.ts';
import { rejectionText } from './rejectionText.ts';

/** What a rule did to a part of the flow. */
export type RuleOutcome =
  | { readonly kind: 'missed'; readonly flow: Flow }
  | { readonly kind: 'continue'; readonly flow: Flow; readonly action: string | undefined }
  | { readonly kind: 'branch'; readonly flow: Flow; readonly branch: Branch; readonly action: string | undefined }
  | { readonly kind: 'rejected'; readonly flow: Flow; readonly rejection: Rejection; readonly action: string }
  | { readonly kind: 'accepted' | 'dropped'; readonly flow: Flow; readonly action: string }
  | { readonly kind: 'unknown'; readonly flow: Flow; readonly why: string };

/** Takes the steps of a rule from `from` on, until a condition does not hold or the packet's way ends here. */
export function takeSteps(
  start: Flow,
  rule: WalkRule,
  from: number,
  context: WalkContext,
  before?: string,
): readonly RuleOutcome[] {
  let flow = start;
  let action = before;
  for (let at = from; at < rule.steps.length; at += 1) {
    const step = rule.steps[at] as Step;
    switch (step.kind) {
      case 'ask': {
        const answer = ask(flow, step.condition, rule, context);
        if (answer === true) continue;
        if (answer === false) return [{ kind: 'missed', flow }];
        const next = at + 1;
        return answer.flatMap((part): readonly RuleOutcome[] =>
          part.holds ? takeSteps(part.flow, rule, next, context, action) : [{ kind: 'missed', flow: part.flow }],
        );
      }
      case 'verdict':
      case 'jump':
      case 'goto':
        return [{ kind: 'branch', flow, branch: step, action }];
      case 'verdictMap': {
        const found = lookInto<Branch>(flow, step.key, step.map, branchOf, rule, context);
        if (found === undefined)
          return [{ kind: 'unknown', flow, why: `it is unknown what the map ${mapName(step.map)} holds for it` }];
        const done = action;
        return found.map(
          ({ flow: part, element }): RuleOutcome =>
            element === undefined
              ? { kind: 'missed', flow: part }
              : { kind: 'branch', flow: part, branch: element, action: done },
        );
      }
      case 'reject':
        return [{ kind: 'rejected', flow, rejection: step.rejection, action: rejectionText(step.rejection, flow) }];
      case 'nat':
        return translate(flow, step, flow.hook, rule, context).map(translationOutcome);
      case 'note':
        continue;
      case 'unknown': {
        const why = `what "${step.text}" does is not known`;
        const [open] = unknownAnswer(flow, step.text, rule, context);
        return open === undefined ? [] : [{ kind: 'unknown', flow: open.flow, why }];
      }
      default: {
        const changed = changeFlow(flow, step, rule, context);
        if (changed === undefined)
          return [{ kind: 'unknown', flow, why: `it is unknown what the map ${mapName(mapOf(step))} holds for it` }];
        const [part] = changed;
        if (part !== undefined && changed.length === 1 && part.holds) {
          flow = part.flow;
          action = part.action ?? action;
          continue;
        }
        return changed.flatMap((one): readonly RuleOutcome[] =>
          one.holds ? takeSteps(one.flow, rule, at + 1, context, one.action) : [{ kind: 'missed', flow: one.flow }],
        );
      }
    }
  }
  return [{ kind: 'continue', flow, action }];
}

function translationOutcome(result: Translated): RuleOutcome {
  switch (result.kind) {
    case 'translated':
      return { kind: 'accepted', flow: result.flow, action: result.action };
    case 'missed':
      return { kind: 'missed', flow: result.flow };
    case 'lost':
      return { kind: 'dropped', flow: result.flow, action: result.action };
    default:
      return { kind: 'unknown', flow: result.flow, why: result.text };
  }
}

function mapName(map: string | readonly unknown[]): string {
  return typeof map === 'string' ? `@${map}` : 'of the rule';
}

function mapOf(step: Step): string | readonly unknown[] {
  return step.kind === 'assignFrom' ? (step.map ?? []) : [];
}
