import { commands } from '../../problems/catalogue/commands.ts';

/** The reason and remedy where rules are lacking or edited that kube-proxy writes under its settings, whatever they are. */
export const lostRules = {
  why: 'The chain was flushed or changed after kube-proxy had written it, or kube-proxy is behind.',
  fix: commands.restart,
};

/** The same where traffic goes another way than it should. */
export const otherWay = { ...lostRules, role: { tells: 'otherWay' } } as const;

/** Kube-proxy's `nodePortAddresses`, where the node may run with others than were given. */
export const compareNodePortAddresses =
  'Compare `nodePortAddresses` in `kubectl -n kube-system get configmap kube-proxy -o yaml` (kubeadm and its like), and give that configuration with `--config`';

/** No node port answers on an address, which may be meant. */
export const closedNodePorts = {
  why: 'kube-proxy is behind or its sync fails, or it runs with other `nodePortAddresses` than those given here.',
  fix: `${compareNodePortAddresses}. If node ports are to be open there: ${commands.readLog} ${commands.restart}`,
};
