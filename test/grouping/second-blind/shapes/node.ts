import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const app = (
  path: string,
  name: string,
  lineno: number,
  colno: number,
  line: string,
  root = '/usr/src/app',
): Frame => ({
  filename: `${root}/${path}`,
  module: path
    .replace(/^dist\//, '')
    .replace(/\.[cm]?js$/, '')
    .replace(/\/([^/]+)$/, ':$1'),
  function: name,
  lineno,
  colno,
  in_app: true,
  context_line: line,
});

export const lib = (path: string, name: string, lineno: number, colno: number, root = '/usr/src/app'): Frame => ({
  filename: `${root}/node_modules/${path}`,
  module: path
    .replace(/\.[cm]?js$/, '')
    .replace(/\/([^/]+)$/, ':$1')
    .replaceAll('/', '.'),
  function: name,
  lineno,
  colno,
  in_app: false,
});

export const internal = (path: string, name: string, lineno: number, colno: number): Frame => ({
  filename: `node:${path}`,
  module: path.replace(/^.*\//, ''),
  function: name,
  lineno,
  colno,
  in_app: false,
});

export const node = (failures: readonly Failure[], version = '8.38.0', more: Fields = {}): RawEvent =>
  failing('node', ['sentry.javascript.node', version], failures, {
    contexts: { runtime: { name: 'node', version: 'v20.18.0' } },
    ...more,
  });

export const ticks = internal('internal/process/task_queues', 'process.processTicksAndRejections', 95, 5);

export const uncaught = { type: 'onuncaughtexception', handled: false };

export const rejection = { type: 'onunhandledrejection', handled: false };

export const express = { type: 'middleware', handled: false, data: { function: 'express' } };

export const layers = [
  lib('express/lib/router/layer.js', 'Layer.handle [as handle_request]', 95, 5),
  lib('express/lib/router/route.js', 'next', 149, 13),
];
