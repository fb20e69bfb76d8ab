import assert from 'node:assert/strict';
import { alertSign } from '../../../ui/src/pages/admin/alert-sign.ts';

describe('the sign of alerts on the health page', () => {
  const well = { mail: false, oldest_unsent_seconds: 0, failed: 0, failing: 0 };
  for (const [alerts, text] of [
    [well, 'OK'],
    [{ ...well, oldest_unsent_seconds: 300 }, 'OK'],
    [{ ...well, oldest_unsent_seconds: 301 }, 'late'],
    [{ ...well, failed: 2 }, '2 not delivered'],
    [{ ...well, failed: 2, failing: 1 }, '1 failing'],
    [null, 'not known'],
  ] as const) {
    it(`says "${text}" of ${JSON.stringify(alerts)}`, () => {
      assert.deepEqual(alertSign(alerts), { good: text === 'OK', text });
    });
  }
});
