import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { SOURCE_TRACKERS } from '../../support/fake-source/source-world.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { collect, sdkEvent, useReader, wanted } from '../../support/reader-world.ts';

const { signal } = new AbortController();

const isInvalidAnswer = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'tracker_invalid_answer';

for (const tracker of SOURCE_TRACKERS) {
  describe(`${tracker}: an answer that is no list`, () => {
    const w = useReader(tracker);

    it('is a failure, not a list without rows', async () => {
      const issue = w.source.world.addIssue(w.shop, { bodies: [{ body: sdkEvent(1) }] });
      await collect(w.reader.projects(signal));
      w.source.fail(faults.json({ detail: 'try again later' }), /\/(?:issues|events|keys|projects)\/\??/);
      const lists = [
        () => collect(w.reader.issues('shop', 'all', null, signal)),
        () => collect(w.reader.issues('shop', 'recent', null, signal)),
        () => collect(w.reader.events('shop', issue.id, wanted(5), signal)),
        () => collect(w.reader.projects(signal)),
      ];
      for (const [place, list] of lists.entries()) await assert.rejects(list(), isInvalidAnswer, `list ${place}`);
    });
  });
}

for (const tracker of ['sentry', 'glitchtip'] as const) {
  describe(`${tracker}: an empty list of errors without Link`, () => {
    const w = useReader(tracker);

    it('is a failure, because this tracker always sends one', async () => {
      await collect(w.reader.projects(signal));
      assert.deepEqual(
        (await collect(w.reader.issues('shop', 'all', null, signal))).flatMap(({ issues }) => issues),
        [],
      );
      w.source.fail(faults.json([]), /\/issues\/\?/);
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, signal)), isInvalidAnswer);
    });
  });
}
