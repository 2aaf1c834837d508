#!/usr/bin/env node
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 12)) {
  console.error(`k8snet needs Node 20.12 or newer; this is Node ${process.versions.node}`);
  process.exitCode = 2;
} else {
  // Since Node 22.8: what was compiled is found again by the next run.
  nodeModule.enableCompileCache?.();
  await import('../dist/main.js');
}
