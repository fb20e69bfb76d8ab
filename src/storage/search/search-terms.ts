import type { TermSource } from '../../domain/ingest/digest.ts';
import type { NormalisedEvent } from '../../domain/events/event.ts';
import { termSourceOf } from '../../domain/ingest/term-source.ts';

/** What searches find an error by, from its first event. */
export interface SearchTerms {
  /** Paths as `fileTerm` returns them, each once. */
  readonly files: readonly string[];
  /** Functions as `functionTerm` returns them, each once. */
  readonly functions: readonly string[];
  /** True: an exception was not handled; null: the event does not say. */
  readonly unhandled: boolean | null;
}

/** Maximum paths and functions per error: those of the frames next to where it happened. */
const MAX_FILES = 40;
const MAX_FUNCTIONS = 60;
/** Maximum characters of a path or function. Of longer ones the last parts count. */
const MAX_TERM = 200;
/** Last parts of a path or function by which it is found, beside the whole one. */
const MAX_PARTS = 4;

/** Returns the terms of an event. */
export function searchTermsOf(event: NormalisedEvent): SearchTerms {
  return termsFrom(termSourceOf(event));
}

/** Returns the terms of an event whose texts were taken from it before. */
export function termsFrom({ files, functions, unhandled }: TermSource): SearchTerms {
  return {
    files: distinct(files.map(fileTerm), MAX_FILES),
    functions: distinct(functions.map(functionTerm), MAX_FUNCTIONS),
    unhandled,
  };
}

function distinct(terms: readonly string[], most: number): string[] {
  return [...new Set(terms.filter((term) => term !== ''))].slice(0, most);
}

/** Returns a path as it is compared: lower case, with `/` between its parts, without a query; empty for none. */
export function fileTerm(path: string): string {
  return bounded(path.replace(/[?#].*$/, '').split(/[/\\]+/), '/');
}

/** Returns a function as it is compared: lower case, with `.` between its parts, without arguments; empty for none. */
export function functionTerm(name: string): string {
  const bare = name.replace(/(?<=[^(\s*.])\(.*$/s, '');
  return bounded(bare.split(/\.|::|->|[#/\\]/), '.');
}

/** Returns the beginning of a path as it is compared: like `fileTerm`, with a separator at its end kept. */
export function fileStart(path: string): string {
  const term = fileTerm(path);
  return term !== '' && /[/\\]$/.test(path) ? `${term}/` : term;
}

/** Returns the beginning of a function as it is compared: like `functionTerm`, with a separator at its end kept. */
export function functionStart(name: string): string {
  const term = functionTerm(name);
  return term !== '' && /(?:[.#/\\]|::|->)$/.test(name) ? `${term}.` : term;
}

/** Joins the last parts that fit. */
function bounded(parts: readonly string[], separator: string): string {
  const kept: string[] = [];
  let length = 0;
  for (const part of parts
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
    .toReversed()) {
    length += part.length + 1;
    if (length > MAX_TERM + 1 && kept.length > 0) break;
    kept.unshift(part.slice(0, MAX_TERM).toWellFormed());
  }
  return kept.join(separator);
}

/** Returns the texts by which an exact comparison finds a term: the whole one, and its last one to four parts. */
export function suffixesOf(term: string, separator: '/' | '.'): string[] {
  const parts = term.split(separator);
  const suffixes = parts.slice(-MAX_PARTS).map((_, index, last) => last.slice(index).join(separator));
  return suffixes[0] === term ? suffixes : [term, ...suffixes];
}
