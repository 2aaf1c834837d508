import type { BesideRules } from '../trace/known/besideRules.ts';
import { type RuleCatalog, ruleCatalog } from '../trace/known/ruleCatalog.ts';
import { type CatalogEntrance, ruleEntrances } from '../trace/known/ruleEntrances.ts';
import { protocolName } from '../trace/question/protocolName.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { endText } from '../walk/values/text.ts';

/** The input of every cause: a packet with its outcomes, and the rules for its destination. */
export interface WhyQuestion {
  readonly result: TraceResult;
  readonly input: WalkInput;
  /** Every rule is read for it: take it only where a cause cannot do without. */
  readonly catalog: RuleCatalog;
  /** All ways into Services: rules of single Services and endpoints are not read for them. */
  readonly allEntrances: readonly CatalogEntrance[];
  /** The ways into a Service that fit the packet, without host ports and without ports that only firewalls match. */
  readonly entrances: readonly CatalogEntrance[];
  /** The destination in sentences: `10.96.0.10:53/udp`. */
  readonly name: string;
  readonly known: BesideRules;
}

/** Half a million rules are searched only when a cause needs them. */
export function whyQuestion(result: TraceResult, input: WalkInput, known: BesideRules = {}): WhyQuestion {
  const { destination, destinationPort, protocol } = result.packet;
  let catalog: RuleCatalog | undefined;
  const question: WhyQuestion = {
    result,
    input,
    get catalog() {
      catalog ??= ruleCatalog(input);
      return catalog;
    },
    get allEntrances() {
      return ruleEntrances(input);
    },
    get entrances() {
      return ruleEntrances(input).filter(
        (one) =>
          (one.rule === undefined || isOfProxy(one.rule.chain)) &&
          (one.address === undefined || one.address === destination) &&
          one.port === destinationPort &&
          (one.protocol === undefined || one.protocol === protocol),
      );
    },
    known,
    name: `${endText(destination, destinationPort)}/${protocolName(protocol)}`,
  };
  return question;
}
