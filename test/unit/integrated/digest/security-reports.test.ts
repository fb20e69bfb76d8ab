import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { groupV1 } from '../../../../src/integrated/digest/group/v1/group.ts';
import { SECURITY_REPORTS } from '../../../support/security-reports.ts';
import { digester, record } from './digest-support.ts';

function digested(raw: object) {
  let key = '';
  const { event } = digester({
    group: (normalised) => {
      const grouping = groupV1(normalised);
      key = grouping.key;
      return grouping;
    },
  })(record(JSON.stringify(raw)));
  assert.ok(event);
  return { ...event, key, stored: JSON.parse(event.payload) as NormalisedEvent };
}

const csp = (members: object, more: object = {}) => digested({ csp: members, ...more });

describe('security reports of browsers', () => {
  for (const { raw, title, culprit } of SECURITY_REPORTS) {
    it(`${title}: title and culprit`, () => {
      const event = digested(raw);
      assert.equal(event.title, title);
      assert.equal(event.culprit, culprit);
    });
  }

  it('different directives, hosts and kinds are different errors', () => {
    const keys = SECURITY_REPORTS.map(({ raw }) => digested(raw).key);
    assert.equal(new Set(keys).size, SECURITY_REPORTS.length);
  });

  it('the same directive and host is one error, whatever the page, path and query', () => {
    const one = { effective_directive: 'script-src', blocked_uri: 'https://Evil.example/a.js?x=1' };
    const { key } = csp({ ...one, document_uri: 'https://shop.example/a', line_number: 1 });
    assert.equal(
      csp({ ...one, blocked_uri: 'https://evil.example/b.js', document_uri: 'https://shop.example/b' }).key,
      key,
    );
    // Firefox names the directive only in the rule, older browsers with its sources.
    assert.equal(csp({ violated_directive: "script-src 'self'", blocked_uri: 'https://evil.example/' }).key, key);
    assert.equal(csp({ ...one, effective_directive: "script-src 'self'" }).key, key);
    assert.equal(csp(one, { message: "Blocked 'script' from 'evil.example'" }).key, key);
    assert.notEqual(csp({ ...one, blocked_uri: 'https://evil.example:8443/' }).key, key);
  });

  it('fingerprint and exceptions group the event as usual', () => {
    const report = { effective_directive: 'img-src', blocked_uri: 'https://a.example' };
    const other = { effective_directive: 'img-src', blocked_uri: 'https://b.example' };
    const fingerprint = { fingerprint: ['mine'] };
    assert.equal(csp(report, fingerprint).key, csp(other, fingerprint).key);
    const hybrid = { fingerprint: ['mine', '{{ default }}'] };
    assert.notEqual(csp(report, hybrid).key, csp(other, hybrid).key);
    const thrown = { exception: { type: 'E', value: 'v' } };
    assert.equal(csp(report, thrown).key, digested(thrown).key);
  });

  it('the report is kept as a context, cleaned and scrubbed', () => {
    const { stored } = csp({
      effective_directive: 'connect-src',
      blocked_uri: 'https://user:pw@api.example/x?token=abc',
      script_sample: 'a\u0000b',
      status_code: 200,
    });
    assert.deepEqual(stored.contexts.csp, {
      effective_directive: 'connect-src',
      blocked_uri: 'https://[Filtered]@api.example/x?token=[Filtered]',
      script_sample: 'ab',
      status_code: 200,
    });
    assert.equal(stored.message, "Blocked 'connect-src' from 'api.example'");
  });

  it('a message sent with the report is the title', () => {
    const event = csp(
      { effective_directive: 'img-src', blocked_uri: 'data' },
      { logentry: { formatted: 'Blocked it' } },
    );
    assert.equal(event.title, 'Blocked it');
  });

  it('an empty member, or one that is not an object, changes nothing', () => {
    for (const nothing of [{}, null, 'x', 5, [], { line_number: 5 }]) {
      const event = digested({ message: 'm', csp: nothing, hpkp: nothing });
      assert.equal(event.key, digested({ message: 'm' }).key);
      assert.deepEqual(event.stored.contexts, {});
      assert.equal('security_report' in event.stored, false);
    }
  });

  it('a context of the same name is not a report', () => {
    const raw = {
      message: 'm',
      contexts: { csp: { effective_directive: 'img-src', blocked_uri: 'https://a.example' } },
    };
    assert.equal(digested(raw).key, digested({ message: 'm' }).key);
  });

  it('legacy names are read', () => {
    const report = { effective_directive: 'img-src', blocked_uri: 'https://a.example' };
    assert.equal(digested({ 'sentry.interfaces.Csp': report }).key, csp(report).key);
  });
});
