import { commands } from '../../problems/catalogue/commands.ts';

/** The reason and remedy where rules are lacking or edited that kube-proxy writes under its settings, whatever they are. */
export const lostRules = {
  why: 'The chain was flushed or changed after kube-proxy had written it, or kube-proxy is behind.',
  fix: commands.restart,
};

/** The same where traffic goes another way than it should. */
export const otherWay = { ...lostRules, role: { tells: 'otherWay' } } as const;
