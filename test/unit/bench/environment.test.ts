import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../config/load.ts';

const BENCH = new URL('../../../bench/', import.meta.url).pathname;

describe('the environment of benchmarks', () => {
  it('holds no variable that the service, which inherits it, refuses', () => {
    const files = readdirSync(BENCH, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const names = new Set(
      files.flatMap((file) => readFileSync(join(BENCH, file), 'utf8').match(/\bERRGATE_[A-Z_]+\b/g) ?? []),
    );
    assert.ok(names.size > 0);
    for (const name of names) {
      try {
        loadConfig({ env: { [name]: 'x' } });
      } catch (error) {
        assert.doesNotMatch(String(error), /is no setting of errgate/, name);
      }
    }
  });
});
