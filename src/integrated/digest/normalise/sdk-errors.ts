import { isRecord } from '../../../lib/own-property.ts';
import { cutText } from '../../../lib/text/clean-text.ts';
import { scalarText } from './bounds/lenient-text.ts';
import type { Notes } from './bounds/notes.ts';

const MAX_SDK_ERRORS = 10;
const MAX_WORD = 64;

/** Adds problems of the client while it built the event (`errors`) as notes. */
export function addSdkErrors(raw: unknown, notes: Notes): void {
  if (!Array.isArray(raw)) {
    return;
  }
  for (const error of (raw as unknown[]).slice(0, MAX_SDK_ERRORS)) {
    const type = isRecord(error) ? word(error.type) : '';
    if (type !== '' && isRecord(error)) {
      const name = word(error.name);
      notes.add('client', name === '' ? type : `${type} in ${name}`);
    }
  }
}

function word(value: unknown): string {
  return cutText((scalarText(value) ?? '').replace(/[^\w.-]+/g, ' ').trim(), MAX_WORD);
}
