import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { refusalText } from '../../../ui/src/pages/admin/refusal-texts.ts';
import { OUTCOMES, reasonText } from '../../../ui/src/pages/outcomes/outcome-texts.ts';

function sectionOf(heading: string): string {
  const text = readFileSync(new URL('../../../docs/missing-events.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf(`\n## ${heading}\n`) + 1);
  return section.slice(0, section.indexOf('\n## ') + 1 || undefined);
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Outcome and reason of every entry below _Outcomes and reasons_: the outcome is the heading, its reasons begin the entries. */
function documented(): { outcome: string; reason: string }[] {
  const chapters = sectionOf('Outcomes and reasons').matchAll(/^### `(\w+)`\n([^]*?)(?=\n### |$(?![^]))/gm);
  return [...chapters].flatMap(([, outcome = '', text = '']) =>
    [...text.matchAll(/^- ((?:`\w+`,?\s*)+)/gm)].flatMap(([, reasons = '']) =>
      namesIn(reasons).map((reason) => ({ outcome, reason })),
    ),
  );
}

describe('texts of outcomes', () => {
  it('finds the lists', () => {
    assert.ok(documented().length > 40, String(documented().length));
    assert.ok(documented().some(({ reason }) => reason === 'disk_low'));
  });

  it('has a text for every reason that is documented, and for every outcome', () => {
    assert.deepEqual(
      documented().filter(({ reason }) => reasonText(reason) === reason),
      [],
    );
    const named = new Set<string>(OUTCOMES.map(({ outcome }) => outcome));
    assert.deepEqual(
      documented().filter(({ outcome }) => !named.has(outcome)),
      [],
    );
  });
});

describe('texts of failures of the service', () => {
  it('say what happened', () => {
    assert.deepEqual(['timeout', 'busy', 'internal_error', 'in_future'].map(reasonText), [
      'Timed out',
      'Server busy',
      'Internal error (see log)',
      'Session start is in the future',
    ]);
    assert.deepEqual(refusalText('unexpected'), { text: 'Internal error', advice: 'See the log.' });
  });
});

describe('texts of refused requests', () => {
  it('has a text for every reason that is documented', () => {
    const entries = sectionOf('Refused requests').matchAll(/^- \d{3} ((?:`\w+`,?\s*)+)/gm);
    const reasons = [...entries].flatMap(([, names = '']) => namesIn(names));
    assert.ok(reasons.length > 20, reasons.join());
    assert.deepEqual(
      reasons.filter((reason) => refusalText(reason).text === reason),
      [],
    );
  });
});
