import type { ImportedError } from '../../domain/imports/import.ts';
import type { LastOccurrence } from '../fold.ts';

type Texts = Pick<LastOccurrence, 'culprit' | 'level' | 'platform'>;

/** Placeholder for a text of an error that is not known yet. */
const UNKNOWN: Texts = { culprit: null, level: 'error', platform: 'other' };

/** Returns culprit, level and platform of an imported error. What its tracker does not tell stays as it is known. */
export function importedTexts({ culprit, level, platform }: ImportedError, known: Texts = UNKNOWN): Texts {
  return { culprit: culprit ?? known.culprit, level: level ?? known.level, platform: platform ?? known.platform };
}
