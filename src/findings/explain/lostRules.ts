import { commands } from '../../problems/catalogue/commands.ts';

/** The reason and remedy for a chain that lacks rules which kube-proxy writes under all settings. */
export const lostRules = {
  why: 'The chain was flushed or changed after kube-proxy had written it, or kube-proxy is behind.',
  fix: commands.restart,
};
