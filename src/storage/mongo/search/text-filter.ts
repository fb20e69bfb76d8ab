import { mongo } from 'mongoose';
import type { TextStart } from '../../search/sought-tags.ts';
import type { Doc } from '../engine/batch-collections.ts';

/** Returns a pattern that matches the text itself: no character of a search has a special meaning. */
export function literal(text: string): string {
  return text.replace(/[\0!-/:-@[-^`{-~]/g, (sign) => (sign === '\0' ? '\\x00' : `\\${sign}`));
}

/** Returns patterns that begin with a literal text, so that each reads a range of an index. */
function patternsOf({ text, match }: TextStart): string[] {
  const start = `^${literal(text)}`;
  return match === 'name' ? [`${start}[0-9]`, `${start}\\ [0-9]`] : [start];
}

/**
 * Returns the filter of documents whose list of texts has one of these, or one that begins so. Not with `$elemMatch` and
 * bounds: FerretDB 2.7 crashes over them.
 */
export function oneOfTexts(member: string, texts: readonly string[], starts: readonly TextStart[]): Doc {
  const patterns = starts.flatMap(patternsOf).map((pattern) => new mongo.BSONRegExp(pattern));
  return oneOf(member, [...texts, ...patterns]);
}

/** Like `oneOfTexts`, in any case. Reads no index. */
export function oneOfTextsInAnyCase(member: string, texts: readonly string[], starts: readonly TextStart[]): Doc {
  const patterns = [...texts.map((text) => `^${literal(text)}$`), ...starts.flatMap(patternsOf)];
  return oneOf(
    member,
    patterns.map((pattern) => new mongo.BSONRegExp(pattern, 'i')),
  );
}

function oneOf(member: string, all: readonly (string | mongo.BSONRegExp)[]): Doc {
  return { [member]: all.length === 1 ? all[0] : { $in: all } };
}
