import assert from 'node:assert/strict';
import { namesIn, rateIn } from '../../../ui/src/pages/settings/protection-fields.ts';

describe('what a project asks for, as it is typed', () => {
  it('takes names one per line or with commas between them', () => {
    assert.deepEqual(namesIn('iban, bic\r\n\n  account number ,,\n'), ['iban', 'bic', 'account number']);
    assert.deepEqual(namesIn(' \n '), []);
  });

  it('takes a whole number from 1, or nothing', () => {
    assert.equal(rateIn('  '), null);
    assert.equal(rateIn(' 600 '), 600);
    assert.equal(rateIn('1,000'), 1000);
    assert.equal(rateIn('12 000'), 12_000);
    for (const text of ['0', '000', '-1', '1.5', '1,5', '1e3', 'many', '10/min']) {
      assert.equal(rateIn(text), undefined, text);
    }
  });
});
