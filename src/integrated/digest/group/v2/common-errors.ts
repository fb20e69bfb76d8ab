import type { NormalisedEvent } from '../../../../domain/events/event.ts';
import { part, TAGS } from '../v1/component.ts';
import { platformFamily } from '../v1/platform-family.ts';
import { stacktraceComponent } from '../v1/frames/stacktrace.ts';

/** Type that bundlers give to errors of their loaders. */
const CHUNK_TYPE = 'ChunkLoadError';
/** What precedes the text of an error that was rejected or converted to text, by browsers and by Angular's zones. */
const PREFIX =
  '(?:Non-Error promise rejection captured with value: )?(?:Error: )?' +
  '(?:(?:Uncaught|Unhandled Promise rejection)(?: \\(in promise\\))?:? )?(?:[A-Z]\\w{0,40}: ){0,2}';
/**
 * Texts of webpack, Rspack, Turbopack and Vite, and of the browsers for an import that failed. A name of a chunk is one
 * word, so that a sentence about other chunks does not match.
 */
const CHUNK_TEXT = new RegExp(
  `^${PREFIX}(?:Loading (?:hot update |CSS )?chunk [^\\s]{1,300} failed` +
    '|Failed to load chunk [^\\s]{1,2000}(?: from module |\\s*$)' +
    '|Unable to preload CSS for |Failed to fetch dynamically imported module|error loading dynamically imported module' +
    '|Importing a module script failed|Unable to import module script' +
    "|'text/html' is not a valid JavaScript MIME type)",
  'i',
);
/** Component of every chunk that could not be loaded, whatever its name and the call that asked for it. */
const CHUNK = part(TAGS.exception, part(TAGS.type, CHUNK_TYPE));

/** All that browsers say of an error in a script of another origin. */
const HIDDEN_TEXT = /^(?:Uncaught )?(?:Error: |Javascript error: )?Script error\.?(?: on line 0| \(:0:?0?\))?$/i;
/** Component of version 1 for the form that SDKs of browsers send most often. */
const HIDDEN = part(TAGS.exception, part(TAGS.type, 'Error') + part(TAGS.value, 'Script error.'));

/** Maximum characters of a text that can be one of these. */
const MAX_TEXT = 4096;
/** First letters of these texts, so that most others need no pattern. */
const MAY_BE_COMMON = /[Cc]hunk|[Ss]cript error|module|preload|MIME type/;

/**
 * Returns the component of errors that browsers and bundlers report in many texts and from many places: a chunk that
 * could not be loaded, and an error whose details the browser hides. Null for all others.
 */
export function commonComponent(event: NormalisedEvent): string | null {
  if (platformFamily(event.platform) !== 'javascript') return null;
  const exception = event.exceptions.at(-1);
  if (exception?.type === CHUNK_TYPE) return CHUNK;
  const text = exception === undefined ? event.message : exception.value;
  if (text === null || text.length > MAX_TEXT || !MAY_BE_COMMON.test(text)) return null;
  if (CHUNK_TEXT.test(text)) return CHUNK;
  if (event.exceptions.length > 1 || !HIDDEN_TEXT.test(text.trim())) return null;
  const frames = exception?.frames ?? null;
  return stacktraceComponent(frames, event.platform, 'system') === '' ? HIDDEN : null;
}
