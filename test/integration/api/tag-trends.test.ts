import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../src/domain/events/event.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { MAX_EVENTS_OF_TREND, MAX_VALUES_OF_TREND } from '../../../src/domain/errors/tag-trend.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3_600_000;

describeOnStores('values of a tag over time', (kind) => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;
  let errors: string;
  /** Beginning of an hour, some hours before the clock. */
  let start: number;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    reporter = await givenMember(app.store, project, 'reporter');
    errors = `/api/v4/projects/${project.id}/error_tracking/errors`;
    start = Math.floor(app.clock.at / HOUR - 40) * HOUR;
  });

  const seen = (hours: number, browser: string | null, release: string | null = null) => ({
    at: start + hours * HOUR,
    event: { release, tags: browser === null ? [] : [{ key: 'browser', value: browser }] } as Partial<NormalisedEvent>,
  });
  const trend = async (key: string) => {
    const [{ id }] = (await app.get(errors, reporter.token)).json();
    const answer = await app.get(`${errors}/${id}/tag_trend?key=${key}`, reporter.token);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };

  it('say since when and how often, and the release of the first event', async () => {
    await givenEvents(app.store, project, [
      seen(0.5, 'Firefox 140', 'shop@1'),
      seen(1, null, 'shop@1'),
      seen(2, 'Safari 17', 'shop@2'),
      seen(2.25, 'Safari 17', 'shop@1'),
      seen(3, 'Firefox 140', 'shop@2'),
      seen(4.5, 'Safari 17', 'shop@2'),
    ]);
    const at = (hours: number) => new Date(start + hours * HOUR).toISOString();
    const frequency = (...counts: number[]) => counts.map((count, hour) => [start / 1000 + hour * 3600, count]);
    assert.deepEqual(await trend('browser'), {
      key: 'browser',
      events: 6,
      complete: true,
      first_event: at(0.5),
      last_event: at(4.5),
      bucket_hours: 1,
      values: [
        {
          ...{ value: 'Safari 17', count: 3, first_seen: at(2), last_seen: at(4.5), first_release: 'shop@2' },
          frequency: frequency(0, 0, 2, 0, 1),
        },
        {
          ...{ value: 'Firefox 140', count: 2, first_seen: at(0.5), last_seen: at(3), first_release: 'shop@1' },
          frequency: frequency(1, 0, 0, 1, 0),
        },
      ],
      other: 0,
    });
    const none = await trend('no%20such%20tag');
    assert.deepEqual([none.events, none.values], [6, []]);
  });

  it('look at the newest 1,000 stored events, and show the most frequent values', async () => {
    const over = 12;
    const values = MAX_VALUES_OF_TREND + 5;
    await givenEvents(
      app.store,
      project,
      Array.from({ length: MAX_EVENTS_OF_TREND + over }, (_, n) =>
        seen(n / 30, n < over ? 'too old' : `v${n % values}`),
      ),
    );
    const { events, complete, values: shown, other, bucket_hours: hours, first_event: first } = await trend('browser');
    assert.deepEqual([events, complete, hours, shown.length], [MAX_EVENTS_OF_TREND, false, 1, MAX_VALUES_OF_TREND]);
    assert.equal(Date.parse(first), start + Math.round((over / 30) * HOUR));
    assert.equal(
      shown.reduce((sum: number, { count }: { count: number }) => sum + count, other),
      MAX_EVENTS_OF_TREND,
    );
    assert.ok(shown.every(({ value }: { value: string }) => value !== 'too old'));
  });

  it('have at most 60 bars, whatever the times of the events', async () => {
    for (const days of [2, 3, 20, 59, 61, 400, 5000]) {
      const other = await givenTrackedProject(app.store);
      await givenEvents(app.store, other, [
        { ...seen(0, 'a'), at: start },
        { ...seen(0, 'b'), at: start - days * 24 * HOUR },
      ]);
      const member = await givenMember(app.store, other, 'reporter');
      const path = `/api/v4/projects/${other.id}/error_tracking/errors`;
      const [{ id }] = (await app.get(path, member.token)).json();
      const { values, bucket_hours: hours } = (
        await app.get(`${path}/${id}/tag_trend?key=browser`, member.token)
      ).json();
      const bars = values[0].frequency.length as number;
      assert.ok(
        bars <= 60 && (bars - 1) * hours >= (days - 1) * 24 - hours,
        `${days} days: ${bars} bars of ${hours} h`,
      );
      const sum = ({ frequency }: { frequency: [number, number][] }) => frequency.reduce((all, [, n]) => all + n, 0);
      assert.deepEqual(values.map(sum), [1, 1]);
    }
  });

  it('are refused for unknown errors, without a key, and to guests', async () => {
    await givenEvents(app.store, project, [seen(0, 'a')]);
    const [{ id }] = (await app.get(errors, reporter.token)).json();
    const guest = await givenMember(app.store, project, 'guest');
    assert.equal((await app.get(`${errors}/999999/tag_trend?key=a`, reporter.token)).status, 404);
    assert.equal((await app.get(`${errors}/${id}/tag_trend`, reporter.token)).status, 400);
    assert.equal((await app.get(`${errors}/${id}/tag_trend?key=a`, guest.token)).status, 403);
  });
});
