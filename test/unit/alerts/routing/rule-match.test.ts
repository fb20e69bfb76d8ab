import assert from 'node:assert/strict';
import { mismatch } from '../../../../src/alerts/routing/rule-match.ts';
import { type AlertRule, DEFAULT_RULE, type RuleFilter } from '../../../../src/domain/alerts/alert-rule.ts';
import { AlertWorld } from '../../../support/dispatch-world.ts';
import { errorOf } from '../../../support/store-data.ts';
import { SQLITE } from '../../../support/test-stores.ts';

const FACT = {
  kind: 'new' as const,
  cause: {},
  level: 'error' as const,
  environment: 'production',
  release: 'shop@1',
  type: 'TypeError',
  title: 'TypeError: total is undefined',
  message: 'total is undefined',
  culprit: 'cart.ts in total',
};
const rule = (only: Partial<RuleFilter>, more: Partial<AlertRule> = {}): AlertRule => ({
  ...DEFAULT_RULE,
  ...more,
  only: { ...DEFAULT_RULE.only, ...only },
});

describe('rules of alerts', () => {
  const cases: [string, Partial<RuleFilter>, Partial<typeof FACT> | { environment: null }, boolean][] = [
    ['the default', {}, {}, true],
    ['a quiet environment', {}, { environment: 'Development' }, false],
    ['no environment', {}, { environment: null }, true],
    ['an environment that is named', { environments: ['production'] }, {}, true],
    ['another environment', { environments: ['staging'] }, {}, false],
    ['no environment where one is named', { environments: ['staging'] }, { environment: null }, false],
    ['another release', { releases: ['shop@2'] }, {}, false],
    ['the release', { releases: ['shop@2', 'shop@1'] }, {}, true],
    ['a part of the culprit, in any case', { contains: 'CART.ts' }, {}, true],
    ['a part that is nowhere', { contains: 'checkout' }, {}, false],
    ['another level', { levels: ['fatal'] }, {}, false],
  ];
  for (const [name, only, fact, reported] of cases) {
    it(`${reported ? 'report' : 'leave out'} ${name}`, () => {
      assert.equal(mismatch(rule(only), { ...FACT, ...fact }, null) === null, reported);
    });
  }

  it('need one value of each tag on the error', () => {
    const tags = [
      { key: 'team', value: 'pay' },
      { key: 'team', value: 'shop' },
      { key: 'tier', value: '1' },
    ];
    const spread = (key: string, value: string) => ({ key, total: 1, values: [{ value, count: 1 }], other: 0 });
    const facets = (...all: ReturnType<typeof spread>[]) => ({ tags: all, environments: null });
    assert.equal(mismatch(rule({ tags }), FACT, facets(spread('team', 'shop'), spread('tier', '1'))), null);
    assert.match(mismatch(rule({ tags }), FACT, facets(spread('team', 'shop'))) ?? '', /tier=1/);
    assert.match(mismatch(rule({ tags }), FACT, facets(spread('team', 'x'), spread('tier', '1'))) ?? '', /team=pay/);
  });

  it('report facts of their own threshold, and of no other rule', () => {
    const own = { ...FACT, kind: 'escalated' as const, cause: { ruleId: 1 } };
    const when = { kinds: [], threshold: { events: 1, minutes: 1 }, users: null };
    assert.equal(mismatch(rule({}, { when }), own, null), null);
    assert.notEqual(mismatch(rule({}, { when, id: 2 }), own, null), null);
  });

  it('say in a sentence why nobody hears of an error, and mail only what people want', async () => {
    const opened = await SQLITE.open();
    try {
      const world = new AlertWorld(opened.store);
      const project = await world.project();
      const [off, mine, elsewhere] = [
        await world.member(project),
        await world.member(project),
        await world.member(project),
      ];
      await world.prefer(off, { mail: 'off' });
      await world.prefer(mine, { mail: 'mine' });
      await world.prefer(elsewhere, { projects: [{ projectId: project.id, mail: 'off' }] });
      const silence = async (group: string) => {
        const { id } = await errorOf(world.store, project, group);
        return (await world.store.factsOfError(project.id, id))[0]?.silence ?? null;
      };
      await world.happen(project, ['low'], { level: 'info' });
      await world.happen(project, ['unassigned']);
      await world.happen(project, ['assigned']);
      const assigned = await errorOf(world.store, project, 'assigned');
      await world.store.setAssignee(project.id, assigned.id, mine.id, null, world.now);
      await world.pass(32_000);
      assert.equal(await silence('low'), 'The rule "Important changes" does not report the level info.');
      assert.match((await silence('unassigned')) ?? '', /switched mail off, have no address, or want only their own/);
      assert.equal(await silence('assigned'), null);
      assert.deepEqual(
        world.sender.attempts.map(({ recipient, message }) => [recipient.name, message.parts[0]?.counts.new]),
        [[mine.name, 1]],
      );
    } finally {
      await opened.dispose();
    }
  });
});
