import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { FailureLog } from '../../../src/thirdparty/failure-log.ts';
import { fakeLogger } from '../../support/fake-logger.ts';

const away = new AppError('tracker_unreachable', 'nothing listens', {
  details: { webMessage: 'Connection refused', reason: 'refused' },
});

describe('the log of failing trackers', () => {
  let lines: string[];
  let log: FailureLog;
  const clock = { at: 0, now: () => clock.at };
  beforeEach(() => {
    lines = [];
    clock.at = 0;
    const logger = fakeLogger((level) => (facts, message) => {
      lines.push(`${level} ${JSON.stringify(facts)} ${message ?? ''}`);
    });
    log = new FailureLog(logger, clock);
  });

  it('logs the first failure per host, and the recovery', () => {
    log.finished('a.example', null);
    for (let times = 0; times < 1000; times += 1) log.finished('a.example', away);
    log.finished('b.example:8000', away);
    log.finished('a.example', null);
    log.finished('a.example', null);
    assert.equal(lines.length, 3);
    assert.match(
      lines[0] ?? '',
      /^warn \{"host":"a\.example","code":"tracker_unreachable","reason":"refused"\} .*nothing listens/,
    );
    assert.match(lines[1] ?? '', /^warn \{"host":"b\.example:8000"/);
    assert.equal(lines[2], 'info {"host":"a.example"} the third-party tracker answers again');
  });

  it('is quiet about one that comes and goes, for ten minutes', () => {
    for (let times = 0; times < 100; times += 1) {
      log.finished('a.example', away);
      log.finished('a.example', null);
    }
    assert.equal(lines.length, 2);
    clock.at += 599_999;
    log.finished('a.example', away);
    assert.equal(lines.length, 2);
    clock.at += 1;
    log.finished('a.example', away);
    assert.equal(lines.length, 3);
  });

  it('forgets hosts beyond a bound', () => {
    for (let index = 0; index < 1001; index += 1) log.finished(`h${index}.example`, away);
    log.finished('h1.example', away);
    log.finished('h0.example', away);
    assert.equal(lines.length, 1002);
  });
});
