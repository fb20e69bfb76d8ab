import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFile, replacePrivateFile } from '../../../src/lib/private-file.ts';

describe('private files', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'errgate-private-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('are readable by their owner only, whatever was there before', () => {
    const file = join(dir, 'secret');
    replacePrivateFile(file, 'one');
    replacePrivateFile(file, 'two');
    assert.equal(readFileSync(file, 'utf8'), 'two');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('are created once', () => {
    const file = join(dir, 'secret');
    assert.equal(createPrivateFile(file, 'one'), true);
    assert.equal(createPrivateFile(file, 'two'), false);
    assert.equal(readFileSync(file, 'utf8'), 'one');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('leave nothing beside them', () => {
    createPrivateFile(join(dir, 'secret'), 'one');
    createPrivateFile(join(dir, 'secret'), 'two');
    replacePrivateFile(join(dir, 'secret'), 'three');
    assert.deepEqual(readdirSync(dir), ['secret']);
  });
});
