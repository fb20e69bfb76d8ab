import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const at = (filename: string, name: string, lineno: number, colno: number): Frame => ({
  filename,
  function: name,
  lineno,
  colno,
  in_app: true,
});

export const bundle = (failures: readonly Failure[], version = '8.33.1', more: Fields = {}): RawEvent =>
  failing('javascript', ['sentry.javascript.browser', version], failures, more);

export const onerror = { type: 'onerror', handled: false };

export const rejection = { type: 'onunhandledrejection', handled: false };

export const next = 'https://www.tripnest.com/_next/static/chunks';
