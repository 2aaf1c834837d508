#!/usr/bin/env node
'use strict';
// kubectl runs this to complete `kubectl k8snet …`, with the words of the line.
process.argv.splice(2, 0, '__complete');
require('./k8snet.cjs');
