import assert from 'node:assert/strict';
import type { RuleDraft } from '../../../ui/src/api/alerts-api.ts';
import { fieldsOf, newRule, problemOf, ruleOf } from '../../../ui/src/pages/alerts/rule-draft.ts';

const RULE: RuleDraft = {
  id: 3,
  name: 'Payments',
  enabled: false,
  when: { kinds: ['new'], threshold: { events: 10, minutes: 5 }, users: 7 },
  only: {
    environments: ['production', 'staging'],
    except_environments: [],
    levels: ['fatal'],
    releases: ['1.0', '1.1'],
    tags: [
      { key: 'plan', value: 'pro' },
      { key: 'url', value: 'https://a.example/b=c' },
    ],
    contains: 'pay',
  },
  to: { members: false, users: [4], channels: [1, 2] },
  how: { mode: 'daily', at: '08:00', quiet: { from: '20:00', to: '06:30' }, zone: 'Asia/Tokyo' },
};

describe('the form of a rule', () => {
  const fields = (changes: Partial<ReturnType<typeof fieldsOf>> = {}) => ({
    ...fieldsOf(newRule('x', 'UTC'), 'UTC'),
    ...changes,
  });

  it('keeps all of a rule', () => {
    const { id: _, enabled: __, ...rest } = RULE;
    assert.deepEqual(ruleOf(fieldsOf(RULE, 'Europe/Berlin')), rest);
  });

  it('begins with the zone of the browser, unless the rule has times', () => {
    const { how, ...rule } = newRule('x', 'UTC');
    assert.equal(fieldsOf({ ...rule, how }, 'Europe/Berlin').zone, 'Europe/Berlin');
    assert.equal(fieldsOf({ ...rule, how: { ...how, mode: 'daily' } }, 'Europe/Berlin').zone, 'UTC');
  });

  it('takes words apart at commas, without repeats', () => {
    const { only } = ruleOf(fields({ environments: ' a, b\nc,, a ,', tags: 'k=v, k : v w', contains: ' x ' }));
    assert.deepEqual(only.environments, ['a', 'b', 'c']);
    assert.deepEqual(only.tags, [
      { key: 'k', value: 'v' },
      { key: 'k', value: 'v w' },
    ]);
    assert.equal(only.contains, 'x');
  });

  it('says what is missing', () => {
    const nobody = { members: false, allChannels: false, users: [], channels: [] };
    for (const [changes, problem] of [
      [{}, ''],
      [{ kinds: [] }, 'Choose what to report.'],
      [{ kinds: [], hasUsers: true }, ''],
      [nobody, 'Choose who gets the messages.'],
      [{ ...nobody, channels: [1] }, ''],
      [{ tags: 'plan=pro, alone' }, '“alone” is no tag: write name = value.'],
      [{ tags: '=v' }, '“=v” is no tag: write name = value.'],
      [{ tags: 'k=' }, '“k=” is no tag: write name = value.'],
      [{ hasQuiet: true, from: '07:00', until: '07:00' }, 'Quiet hours need a beginning and another end.'],
    ] as const) {
      assert.equal(problemOf(fields(changes as Parameters<typeof fields>[0])), problem);
    }
  });
});
