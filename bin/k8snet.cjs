#!/usr/bin/env node
'use strict';
// CommonJS, as Node starts it faster than a module.
const nodeModule = require('node:module');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 12)) {
  console.error(`k8snet needs Node 20.12 or newer; this is Node ${process.versions.node}`);
  process.exitCode = 2;
} else {
  // Since Node 22.1: what was compiled is found again by the next run.
  nodeModule.enableCompileCache?.();
  require('../dist/main.cjs');
}
