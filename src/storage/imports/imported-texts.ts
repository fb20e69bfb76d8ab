import type { ErrorTexts, TrackerTexts } from '../../domain/errors/error-texts.ts';
import { ERROR_FIELDS, TEXT_FIELDS } from '../errors/error-fields.ts';

/**
 * Returns the texts of an imported error. What its tracker does not tell stays as it is known, or is what the table of
 * fields says for a new error.
 */
export function importedTexts(told: TrackerTexts, known?: Partial<ErrorTexts>): ErrorTexts {
  const texts = TEXT_FIELDS.map((name) => {
    const field = ERROR_FIELDS[name];
    return [name, told[name] ?? ('untold' in field ? (known?.[name] ?? field.untold) : null)] as const;
  });
  return Object.fromEntries(texts) as unknown as ErrorTexts;
}
