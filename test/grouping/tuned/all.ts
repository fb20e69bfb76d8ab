import type { Pair } from '../pair.ts';
import { goPairs } from './go.ts';
import { javaPairs } from './java.ts';
import { kotlinAndroidPairs } from './kotlin-android.ts';
import { browserPairs } from './browser.ts';
import { browserMinifiedPairs } from './browser-minified.ts';
import { nodePairs } from './node.ts';
import { phpPairs } from './php.ts';
import { pythonPairs } from './python.ts';
import { rubyPairs } from './ruby.ts';
import { rustPairs } from './rust.ts';
import { nativePairs } from './native.ts';
import { dotnetPairs } from './dotnet.ts';
import { swiftPairs } from './swift.ts';
import { messagePairs } from './messages.ts';

/** The pairs that the rules may be tuned on, by platform. */
export const TUNED: Readonly<Record<string, readonly Pair[]>> = {
  go: goPairs,
  java: javaPairs,
  'kotlin-android': kotlinAndroidPairs,
  browser: browserPairs,
  'browser-minified': browserMinifiedPairs,
  node: nodePairs,
  php: phpPairs,
  python: pythonPairs,
  ruby: rubyPairs,
  rust: rustPairs,
  native: nativePairs,
  dotnet: dotnetPairs,
  swift: swiftPairs,
  messages: messagePairs,
};
