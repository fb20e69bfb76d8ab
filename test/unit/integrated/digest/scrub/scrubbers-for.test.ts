import assert from 'node:assert/strict';
import { NO_OVERRIDES, type ProtectionOverrides } from '../../../../../src/domain/ingest/protection-overrides.ts';
import { scrubbersFor } from '../../../../../src/integrated/digest/scrub/scrubbers-for.ts';
import { ProjectOverrides } from '../../../../../src/integrated/project-overrides.ts';
import { normalise } from '../digest-support.ts';

const GENERAL = { enabled: true, scrubIps: false, sensitiveFields: ['pin'], safeFields: [], projects: {} };
const F = '[Filtered]';

describe('scrubbers by project', () => {
  const own = new ProjectOverrides();
  const find = scrubbersFor(
    {
      ...GENERAL,
      projects: {
        'Group/App': { sensitiveFields: ['iban'] },
        '7': { enabled: false },
        '8': { safeFields: ['auth_mode'] },
        'group/eight': { scrubIps: true },
      },
    },
    own.of,
  );
  const asks = (id: number, given: Partial<ProtectionOverrides>) => own.replace([[id, { ...NO_OVERRIDES, ...given }]]);
  const extra = (id: number, path: string | null) => {
    const event = normalise({ extra: { pin: 'a', iban: 'b', auth_mode: 'c' }, user: { ip_address: '10.0.0.1' } });
    find(id, path).afterGrouping(event);
    return [event.extra.pin, event.extra.iban, event.extra.auth_mode, event.user?.ip_address ?? null];
  };

  it('projects without overrides use the general scrubber', () => {
    assert.deepEqual(extra(1, 'a/b'), [F, 'b', F, '10.0.0.1']);
    assert.deepEqual(extra(1, null), [F, 'b', F, '10.0.0.1']);
    assert.equal(find(1, 'a/b'), find(2, null));
  });
  it('sensitive fields of a project path, in any case, add to the general ones', () => {
    assert.deepEqual(extra(3, 'group/APP'), [F, F, F, '10.0.0.1']);
  });
  it('an override by project id can switch scrubbing off', () =>
    assert.deepEqual(extra(7, 'x/y'), ['a', 'b', 'c', '10.0.0.1']));
  it('overrides by path and by id apply together', () =>
    assert.deepEqual(extra(8, 'group/eight'), [F, 'b', 'c', null]));
  it('a project moved to another path is looked up again', () => {
    assert.deepEqual(extra(9, 'group/app'), [F, F, F, '10.0.0.1']);
    assert.deepEqual(extra(9, 'other/app'), [F, 'b', F, '10.0.0.1']);
  });
  it('makes each scrubber once', () => assert.equal(find(3, 'group/app'), find(4, 'Group/App')));

  it('the protection of a project is added at once, and removed with it', () => {
    assert.deepEqual(extra(1, 'a/b'), [F, 'b', F, '10.0.0.1']);
    asks(1, { sensitiveFields: ['IBAN'], scrubIps: true });
    assert.deepEqual(extra(1, 'a/b'), [F, F, F, null]);
    assert.deepEqual(extra(2, 'a/c'), [F, 'b', F, '10.0.0.1']);
    own.replace([]);
    assert.deepEqual(extra(1, 'a/b'), [F, 'b', F, '10.0.0.1']);
  });

  it('a name of its own is not safe, and works where scrubbing is switched off', () => {
    asks(8, { sensitiveFields: ['Auth_Mode'] });
    assert.deepEqual(extra(8, 'x/y'), [F, 'b', F, '10.0.0.1']);
    asks(7, { sensitiveFields: ['iban'] });
    assert.deepEqual(extra(7, 'x/y'), [F, F, F, '10.0.0.1']);
  });

  it('makes the scrubber of a project with protection once, until one side changes', () => {
    asks(1, { sensitiveFields: ['iban'] });
    const made = find(1, 'a/b');
    assert.equal(find(1, 'a/b'), made);
    asks(1, { sensitiveFields: ['iban'] });
    assert.equal(find(1, 'a/b'), made, 'received again, but the same');
    assert.notEqual(find(1, 'group/eight'), made, 'another path, another configuration');
    asks(1, { sensitiveFields: ['bic'] });
    assert.notEqual(find(1, 'a/b'), made);
  });
});
