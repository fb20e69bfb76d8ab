import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const call = (module: string, name: string, file: string, lineno: number, inApp = true): Frame => ({
  function: name,
  module,
  ...(file.startsWith('/') ? { abs_path: file } : { filename: file }),
  lineno,
  in_app: inApp,
});

export const goroot = (module: string, name: string, file: string, lineno: number): Frame =>
  call(module, name, `/usr/local/go/src/${file}`, lineno, false);

export const go = (failures: readonly Failure[], version = '0.29.1', more: Fields = {}): RawEvent =>
  failing('go', ['sentry.go', version], failures, {
    contexts: { runtime: { name: 'go', version: 'go1.22.8' } },
    ...more,
  });

export const http = [
  goroot('net/http', '(*conn).serve', 'net/http/server.go', 2009),
  goroot('net/http', 'serverHandler.ServeHTTP', 'net/http/server.go', 3137),
  goroot('net/http', 'HandlerFunc.ServeHTTP', 'net/http/server.go', 2166),
];

export const api = 'github.com/parkade/api';
