import assert from 'node:assert/strict';
import { described, docPages, namesIn, readRoot } from '../../support/doc-pages.ts';
import { registeredMetrics } from '../../support/registered-metrics.ts';

const NAME = /\berrgate_[a-z0-9_]+…?(?:\{[a-z,]+\})?/g;

describe('metrics in the documentation', () => {
  const labels = registeredMetrics();
  const cookies = [...readRoot('src/gateway/http/session/session-cookie.ts').matchAll(/'(errgate_\w+)'/g)].map(
    ([, name]) => name,
  );
  const named = namesIn(docPages(), NAME).filter(({ text }) => !cookies.includes(text));

  it('finds metrics in the code and in the pages', () => {
    assert.ok(labels.size > 20, [...labels.keys()].join());
    assert.ok(named.length > 20, described(named).join());
    assert.equal(cookies.length, 3);
  });

  it('names no metric and no label that is not there', () => {
    const exists = (text: string): boolean => {
      if (text.endsWith('…')) return [...labels.keys()].some((name) => name.startsWith(text.slice(0, -1)));
      const [name = '', given] = text.replace('}', '').split('{');
      return labels.has(name) && (given === undefined || given === labels.get(name)?.join());
    };
    assert.deepEqual(described(named.filter(({ text }) => !exists(text))), []);
  });

  it('names every metric, with its labels in docs/watching.md', () => {
    const texts = namesIn([{ path: 'docs/watching.md', text: readRoot('docs/watching.md') }], NAME);
    const missing = [...labels].map(([name, given]) => (given.length === 0 ? name : `${name}{${given.join()}}`));
    assert.deepEqual(
      missing.filter((metric) => !texts.some(({ text }) => text === metric)),
      [],
    );
  });
});
