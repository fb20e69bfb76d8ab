import assert from 'node:assert/strict';
import { readSearch } from '../../../ui/src/pages/errors/search-keys.ts';

describe('words of a search that have a control of their own', () => {
  it('are taken out of it: status, level, environment and release', () => {
    assert.deepEqual(readSearch('timeout is:resolved level:WARN  env:production release:shop@1.2'), {
      filters: { status: 'resolved', for_review: '', level: 'warning', environment: 'production', release: 'shop@1.2' },
      rest: 'timeout',
    });
    assert.deepEqual(readSearch('environment:"my own"').filters, { environment: 'my own' });
    assert.deepEqual(readSearch('is:archived').filters, { status: 'ignored', for_review: '' });
    assert.deepEqual(readSearch('is:for_review').filters, { status: 'unresolved', for_review: 'true' });
  });

  it('take an AND beside them along, and stay beside an OR', () => {
    assert.deepEqual(readSearch('level:fatal AND oops AND user:"a AND b" AND env:live'), {
      filters: { level: 'fatal', environment: 'live' },
      rest: 'oops user:"a AND b"',
    });
    for (const rest of ['level:fatal OR user:ada', 'user:ada AND oops', 'AND']) {
      assert.deepEqual(readSearch(rest), { filters: {}, rest });
    }
    assert.deepEqual(readSearch('"this OR that" level:info').filters, { level: 'info' });
  });

  it('leave what the service reads: marks, other keys, exclusions and text', () => {
    for (const text of [
      'is:new',
      'level:loud',
      '!level:fatal',
      'user:ada',
      'browser:"Chrome Mobile"',
      'std::io',
      'release:2.33.0',
      'release:shop@2.*',
      'env:[live,test]',
      'env:[live, test]',
      'level:[fatal,error]',
      'a',
    ]) {
      assert.deepEqual(readSearch(text), { filters: {}, rest: text });
    }
  });

  it('stay where one control cannot show them all', () => {
    assert.deepEqual(readSearch('release:a@1 release:a@2 level:fatal'), {
      filters: { level: 'fatal' },
      rest: 'release:a@1 release:a@2',
    });
  });
});
