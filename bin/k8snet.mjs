#!/usr/bin/env node
// For those who name this file: the package's command is k8snet.cjs.
import './k8snet.cjs';
