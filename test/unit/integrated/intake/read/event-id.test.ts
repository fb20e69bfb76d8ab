import assert from 'node:assert/strict';
import { newEventId, normaliseEventId } from '../../../../../src/integrated/intake/read/event-id.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';

describe('event id', () => {
  it('normalises both spellings in any case', () => {
    for (const spelling of [
      ID,
      ID.toUpperCase(),
      '7f9bdf37-9dd9-4837-b0dd-965053664889',
      '7F9BDF37-9DD9-4837-B0DD-965053664889',
      ` ${ID} `,
    ]) {
      assert.equal(normaliseEventId(spelling), ID);
    }
  });

  it('knows what is no id', () => {
    for (const value of [
      undefined,
      null,
      7,
      {},
      '',
      'abc',
      `${ID}0`,
      ID.slice(1),
      ID.replace('7', 'g'),
      '7f9bdf379dd9-4837-b0dd-965053664889',
      '0'.repeat(32),
      '00000000-0000-0000-0000-000000000000',
    ]) {
      assert.equal(normaliseEventId(value), null, JSON.stringify(value));
    }
  });

  it('makes new ones of version 4 without dashes', () => {
    assert.match(newEventId(), /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    assert.notEqual(newEventId(), newEventId());
  });
});
