import assert from 'node:assert/strict';
import type { StatusDetails } from '../../../src/domain/errors/error-state.ts';
import type { ErrorStatus } from '../../../src/domain/errors/error-status.ts';
import { readTrackerDetails } from '../../../src/domain/imports/imported-details.ts';
import { shownDetails } from '../../../src/export/error-line.ts';

/** Writes details to a line, and reads them again. */
function again(status: ErrorStatus, details: StatusDetails): StatusDetails | null {
  const line = JSON.parse(JSON.stringify(shownDetails(details))) as Record<string, unknown>;
  // An import refuses details that are nested.
  assert.ok(Object.values(line).every((value) => typeof value !== 'object' || value === null));
  return readTrackerDetails(status, line, '9.9').details;
}

describe('details of a status in an export', () => {
  it('are read as they were written, commits with their repository', () => {
    const resolutions: StatusDetails[] = [
      { inRelease: '1.2' },
      { inNextRelease: true, afterRelease: '1.2' },
      { inNextRelease: true, afterRelease: null },
      { inCommit: { commit: 'f00dbabe', repository: null } },
      { inCommit: { commit: 'f00dbabe', repository: 'group/shop' } },
      { inRelease: 'shop@1.2+f00dbabe', inCommit: { commit: 'f00dbabe', repository: 'group/shop' } },
    ];
    for (const details of resolutions) assert.deepEqual(again('resolved', details), details);
    const ignored = { ignoreUntil: Date.parse('2026-11-24T12:00:00Z'), ignoreCount: 7, ignoreUserCount: 3 };
    assert.deepEqual(again('ignored', ignored), ignored);
  });
});
