/**
 * What alerts and the dashboard ask for, with its labels: the agent serves it, which test/cluster/agent.test.ts holds against
 * a running one.
 */
export const agentMetrics: Readonly<Record<string, readonly string[]>> = {
  k8snet_differences: ['severity', 'finding'],
  k8snet_services: ['state'],
  k8snet_last_check_timestamp_seconds: [],
  k8snet_check_duration_seconds: ['le'],
  k8snet_rules_behind_seconds: [],
  k8snet_unknown_seconds: ['what'],
  k8snet_build_info: ['version'],
};
