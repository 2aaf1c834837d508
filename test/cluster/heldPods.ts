import { openPodCluster } from './openPodCluster.ts';

/** A cluster with Pods that stays until this process ends, in whatever way: pods.test.ts kills it. Prints where it is. */
const { plane, kubectl, nodes, settled } = await openPodCluster([{ version: '1.36.3', mode: 'iptables' }]);
await kubectl(['run', 'sleeper', '--image=localhost/pod:1', '--image-pull-policy=Never', '--', 'sleep', '987654']);
await settled(['wait', '--for=condition=Ready', 'pod/sleeper']);
console.log(JSON.stringify({ folder: plane.folder, node: nodes[0]?.namespace.pid }));
setInterval(() => {}, 1000);
