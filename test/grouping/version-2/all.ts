import type { Pair } from '../pair.ts';
import { closurePairs } from './closures.ts';
import { commonPairs } from './common.ts';
import { idPairs } from './ids.ts';
import { namelessPairs } from './nameless.ts';
import { untypedPairs } from './untyped.ts';
import { vagueTypePairs } from './vague-types.ts';

/** The pairs of each rule of version 2, in both directions: what it joins, what it must not; what it separates. */
export const VERSION_2: Readonly<Record<string, readonly Pair[]>> = {
  untyped: untypedPairs,
  'vague-types': vagueTypePairs,
  nameless: namelessPairs,
  closures: closurePairs,
  ids: idPairs,
  common: commonPairs,
};
