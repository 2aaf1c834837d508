import type { BesideRules } from '../trace/known/besideRules.ts';
import { type RuleCatalog, ruleCatalog } from '../trace/known/ruleCatalog.ts';
import { type CatalogEntrance, ruleEntrances } from '../trace/known/ruleEntrances.ts';
import { protocolName } from '../trace/question/protocolName.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { endText } from '../walk/values/text.ts';

/** What every cause is asked about: a packet with its outcomes, and what the rules have for its destination. */
export interface WhyQuestion {
  readonly result: TraceResult;
  readonly input: WalkInput;
  readonly catalog: RuleCatalog;
  /** The ways into a Service that fit the packet; host ports and what firewalls ask of a port are none. */
  readonly entrances: readonly CatalogEntrance[];
  /** The destination as sentences have it: `10.96.0.10:53/udp`. */
  readonly name: string;
  readonly known: BesideRules;
}

/** Half a million rules are gone through only when a cause asks what they have. */
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
