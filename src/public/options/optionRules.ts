import type { BehaviourOptions } from '../../behaviour/behaviourOptions.ts';
import { senderKinds } from '../../behaviour/packets/senderKinds.ts';
import type { ReachOptions } from '../../behaviour/reach/reach.ts';
import { ipvsSchedulers } from '../../common/proxy/ipvsSchedulers.ts';
import { proxyModes } from '../../common/proxy/proxyMode.ts';
import type { DumpDiffOptions } from '../../diff/diffDumps.ts';
import type { DiffOptions } from '../../diff/diffOptions.ts';
import type { ReadOptions } from '../../dump/readDumps.ts';
import type { ObjectFacts } from '../../findings/checks/objectFacts.ts';
import type { ImportOptions } from '../../import/importRules.ts';
import type { NodeFilesOptions } from '../../output/nodeFiles.ts';
import type { CompileOptions } from '../../pipeline/compileInput.ts';
import type { JudgeOptions } from '../../pipeline/judgeConnection.ts';
import type { LintOptions } from '../../pipeline/lint.ts';
import type { ReadPoliciesOptions } from '../../pipeline/read/readPolicies.ts';
import type { TargetOptions } from '../../resolve/targetOptions.ts';
import type { OptionRules } from './checkOptions.ts';
import {
  address,
  addresses,
  callback,
  clusterNetworks,
  flag,
  interfaceName,
  kubeVersion,
  list,
  localAddresses,
  networks,
  nodePortNetworks,
  oneOf,
  portRange,
  portRangeText,
  record,
  set,
  text,
  whole,
} from './valueRule.ts';

/** What each option of the API takes, by the type that declares it: a field without a rule does not compile. */

const family = oneOf('ipv4', 'ipv6');
const families = oneOf('ipv4', 'ipv6', 'both');
const level = oneOf('bytes', 'text', 'rules', 'roles');
const mode = oneOf(...proxyModes);
const unknownFields = oneOf('strict', 'warn', 'ignore');

export const targetRules: OptionRules<TargetOptions> = {
  mode,
  node: text,
  nodeIPs: addresses,
  nodeAddresses: localAddresses,
  bindAddress: address,
  proxyPortRange: portRangeText,
  clusterCIDR: clusterNetworks,
  detectLocalMode: oneOf('ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'),
  bridgeInterface: interfaceName,
  interfaceNamePrefix: interfaceName,
  masqueradeAll: flag,
  masqueradeBit: whole(0, 31),
  localhostNodePorts: flag,
  nodePortAddresses: nodePortNetworks,
  ipvsScheduler: oneOf(...ipvsSchedulers),
  ipvsStrictArp: flag,
  ipvsExcludeCIDRs: networks,
  family: families,
  cpus: whole(1, 65_536),
  serviceCIDRs: networks,
  nodePortRange: portRange,
  allocates: flag,
  assumesPods: flag,
  podAddresses: record,
  podCIDRs: networks,
  assumesEmptyLabels: flag,
  seen: record,
  otherEndpoints: record,
};

export const compileRules: OptionRules<CompileOptions> = {
  ...targetRules,
  kubeVersion,
  configObjects: list,
  unknownFields,
  chooseNode: callback,
  sharing: record,
  search: callback,
};

export const lintRules: OptionRules<LintOptions> = { ...compileRules, cni: text, certificates: record };

export const filesRules: OptionRules<NodeFilesOptions> = {
  hasNfacct: flag,
  masqueradedPods: list,
  policy: record,
  isPolicyOnly: flag,
  guardsPolicies: oneOf('always', 'whenPrinted'),
  allowsLostPolicies: flag,
  isOneOfMany: flag,
};

export const dumpRules: OptionRules<ReadOptions> = { family, name: text, sound: record };

export const diffRules: OptionRules<Omit<DiffOptions, keyof ObjectFacts>> = {
  level,
  service: text,
  changing: set,
  earlier: list,
  search: callback,
  hasNfacct: flag,
  isNodeUnknown: flag,
  family: families,
};

export const dumpDiffRules: OptionRules<DumpDiffOptions> = { level, hasForeign: flag, service: text };

export const behaviourRules: OptionRules<BehaviourOptions> = {
  tolerance: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'a share from 0 to 1'),
  entrances: (value) =>
    Array.isArray(value) && value.every((one) => senderKinds.includes(one))
      ? undefined
      : `an array of ${senderKinds.join(', ')}`,
  service: text,
  state: oneOf('new', 'established'),
  to: record,
  isOfServicePorts: flag,
  keepsSame: flag,
  walksAll: flag,
  onProgress: callback,
};

const { service, entrances, to, state, isOfServicePorts } = behaviourRules;
export const reachRules: OptionRules<ReachOptions> = { service, entrances, to, state, isOfServicePorts };

export const importRules: OptionRules<ImportOptions> = {
  node: text,
  nodeIPs: addresses,
  nodeAddresses: localAddresses,
  podCIDRs: networks,
  mode,
  kubeVersion,
  isForRules: flag,
};

export const readPoliciesRules: OptionRules<ReadPoliciesOptions> = {
  unknownFields,
  assumesPods: flag,
  podAddresses: record,
  podCIDRs: networks,
  assumesEmptyLabels: flag,
};

export const judgeRules: OptionRules<JudgeOptions> = {
  ...readPoliciesRules,
  hairpin: oneOf('allow', 'policy'),
  icmp: oneOf('policy', 'allow'),
};
