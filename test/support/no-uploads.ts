import assert from 'node:assert/strict';
import type { TakeUpload } from '../../src/import/files/exported-builds.ts';

/** Takes uploads of exports that have none. */
export const NO_UPLOADS: TakeUpload = () => assert.fail('the export has uploads');
