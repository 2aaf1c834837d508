import { commands } from '../../problems/catalogue/commands.ts';

/** The reason and remedy of a chain that lacks rules which no setting of kube-proxy leaves out. */
export const lostRules = {
  why: 'The chain was flushed or changed after kube-proxy had written it, or kube-proxy is behind.',
  fix: commands.restart,
};
