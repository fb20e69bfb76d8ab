import assert from 'node:assert/strict';
import { listOf, narrowedBy, tagOf, takenAlong } from '../../../ui/src/pages/error/list-filters.ts';

describe('filters of the list that concern events', () => {
  it('are named where numbers do not follow them, also those of the search', () => {
    const by = (search: string, environment = '', release = '') => narrowedBy({ search, environment, release });
    assert.equal(by(''), '');
    assert.equal(by('', 'staging'), 'environment');
    assert.equal(by('user:4711', 'staging', 'shop@1'), 'environment, release, or user');
    assert.equal(by('environment:[staging,dev] plan:pro browser:"Firefox 140"'), 'environment or tag');
    assert.equal(by('release:shop@2.* has:plan url.host:shop.example'), 'release, URL, or tag');
    // What is excluded, errors are found by, or is text, leaves the events of an error whole.
    assert.equal(by('is:new level:fatal file:a.ts type:IOException assigned:me last-seen:-24h title:x'), '');
    assert.equal(by('!environment:staging "browser:Chrome" http://shop.example std::vector C:\\x Error: x'), '');
  });

  it('go along to an error, and back to a list', () => {
    const query = {
      search: 'user:"Ada L" plan:pro words',
      environment: 'staging',
      release: '',
      level: '',
      range: '7d',
    } as const;
    const along = takenAlong(query, true);
    assert.deepEqual(along, { environment: 'staging', user: 'Ada L', tag: 'plan:pro', range: '7d' });
    const back = { search: 'user:"Ada L" plan:"pro"', environment: 'staging', range: '7d' };
    assert.deepEqual(listOf('demo/shop', along).query, back);
    assert.deepEqual(takenAlong(query, false), { range: '7d' });
    assert.deepEqual(takenAlong({ ...query, search: 'user:[a,b]', range: '' }, true), { environment: 'staging' });
  });

  it('lead to events by a tag only where the search names one tag', () => {
    assert.equal(tagOf('level:fatal plan:pro words'), 'plan:pro');
    assert.equal(tagOf('browser:"Firefox 140"'), 'browser:Firefox 140');
    for (const other of ['plan:pro region:eu', 'browser:Fire*', 'plan:[a,b]', '!plan:pro', 'has:plan', 'tag:plan=pro'])
      assert.equal(tagOf(other), '', other);
  });

  it('take text and addresses for no tag, so that events are not searched by them', () => {
    for (const text of ['http://shop.example/cart', 'std::vector', 'C:\\x', 'title:x', 'url.path:/cart', '"db:5432"'])
      assert.equal(tagOf(text), '', text);
  });
});
