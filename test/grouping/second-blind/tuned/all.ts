import type { Pair } from '../../pair.ts';
import { browserMinifiedPairs } from './browser-minified.ts';
import { browserPairs } from './browser.ts';
import { goPairs } from './go.ts';
import { javaPairs } from './java.ts';
import { messagePairs } from './messages.ts';
import { nativePairs } from './native.ts';
import { nodePairs } from './node.ts';
import { phpPairs } from './php.ts';
import { pythonPairs } from './python.ts';
import { rubyPairs } from './ruby.ts';
import { rustPairs } from './rust.ts';

/** A second set of pairs, hard ones, by platform: the half that the rules were tuned on. */
export const SECOND_TUNED: Readonly<Record<string, readonly Pair[]>> = {
  browser: browserPairs,
  browserMinified: browserMinifiedPairs,
  go: goPairs,
  java: javaPairs,
  messages: messagePairs,
  native: nativePairs,
  node: nodePairs,
  php: phpPairs,
  python: pythonPairs,
  ruby: rubyPairs,
  rust: rustPairs,
};
