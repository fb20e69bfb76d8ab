import { FILTERED } from './filtered.ts';
import type { RawFrame } from '../../../domain/events/event.ts';

type SourceLines = Pick<RawFrame, 'context_line' | 'pre_context' | 'post_context'>;

const KEY_BEGINS = /-----BEGIN[A-Z ]{0,40}PRIVATE KEY-----/;
const KEY_ENDS = /-----END[A-Z ]{0,40}PRIVATE KEY-----/;
/** Line of a private key, in the syntax of any programming language. */
const KEY_LINE = /^[\s"'`+.,#*\\]*[A-Za-z0-9+/=]{16,}[\s"'`+.,;n\\]*$/;

/**
 * Scrubs the source lines of a frame, each by `line`. Recognises private keys by their lines, even where only a part is
 * shown.
 */
export function scrubSourceLines(frame: SourceLines, line: (text: string) => string): void {
  const { pre_context: before, post_context: after } = frame;
  let hasKey = false;
  for (let i = 0; i < before.length; i += 1) {
    const text = before[i] ?? '';
    before[i] = line(text);
    hasKey ||= text.includes('PRIVATE KEY-----');
  }
  if (frame.context_line !== null) {
    hasKey ||= frame.context_line.includes('PRIVATE KEY-----');
    frame.context_line = line(frame.context_line);
  }
  for (let i = 0; i < after.length; i += 1) {
    const text = after[i] ?? '';
    after[i] = line(text);
    hasKey ||= text.includes('PRIVATE KEY-----');
  }
  if (hasKey) {
    hideKeyLines(frame);
  }
}

function hideKeyLines(frame: SourceLines): void {
  const lines = [...frame.pre_context, frame.context_line ?? '', ...frame.post_context];
  const firstMark = lines.findIndex((text) => KEY_BEGINS.test(text) || KEY_ENDS.test(text));
  // When the first marker ends a key, the key began above the first line.
  let inKey = firstMark >= 0 && !KEY_BEGINS.test(lines[firstMark] ?? '');
  const hidden = lines.map((text) => {
    inKey = (inKey || KEY_BEGINS.test(text)) && !KEY_ENDS.test(text);
    return inKey && KEY_LINE.test(text) ? FILTERED : text;
  });
  const here = frame.pre_context.length;
  frame.pre_context = hidden.slice(0, here);
  frame.context_line = frame.context_line === null ? null : (hidden[here] ?? null);
  frame.post_context = hidden.slice(here + 1);
}
