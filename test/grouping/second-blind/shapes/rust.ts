import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const call = (name: string, path: string, lineno: number, inApp: boolean, pc: number): Frame => ({
  function: name,
  filename: path.replace(/^.*\//, ''),
  abs_path: path,
  lineno,
  instruction_addr: `0x${pc.toString(16)}`,
  in_app: inApp,
});

export const app = (name: string, path: string, lineno: number, root = '/build', pc = 0x55d0_4be1_2c40): Frame =>
  call(name, `${root}/${path}`, lineno, true, pc + lineno);

export const std = (
  name: string,
  path: string,
  lineno: number,
  commit = 'eeb90cda1969383f56a2637cbd3037bdf598841c',
): Frame => call(name, `/rustc/${commit}/library/${path}`, lineno, false, 0x55d0_4c77_0a10);

export const crate = (name: string, path: string, lineno: number, index = 'index.crates.io-6f17d22bba15001f'): Frame =>
  call(name, `/usr/local/cargo/registry/src/${index}/${path}`, lineno, false, 0x55d0_4c20_91f0);

export const rust = (failures: readonly Failure[], version = '0.34.0', more: Fields = {}): RawEvent =>
  failing('native', ['sentry.rust', version], failures, {
    contexts: { rust: { name: 'rustc', version: '1.82.0', channel: 'stable' } },
    ...more,
  });

export const panic = { type: 'panic', handled: false };

export const panicking = [std('core::panicking::panic_fmt', 'core/src/panicking.rs', 74)];
