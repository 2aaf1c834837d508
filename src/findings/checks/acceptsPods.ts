import { isPluginChain } from '../../node/foreignPrograms.ts';
import { targetName } from '../../node/rulesOf.ts';

/** A network plugin's chain or an ACCEPT lets Pods' packets pass, whatever stands behind it. */
export function acceptsPods(line: string): boolean {
  const target = targetName(line);
  if (target === 'ACCEPT')
    return !/ -[io] (?:lo|docker|br-|virbr)| --ctstate | --state | -p (?:ipv6-)?icmp /.test(line);
  return isPluginChain(target);
}
