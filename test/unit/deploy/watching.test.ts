import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registeredMetrics } from '../../support/registered-metrics.ts';
import { readRoot } from '../../support/doc-pages.ts';

const RULES = 'deploy/prometheus/errgate-rules.yml';
const TESTS = 'deploy/prometheus/errgate-rules.test.yml';
const DASHBOARD = 'deploy/grafana/errgate.json';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Names of metrics in expressions of Prometheus, without the endings that histograms add. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\berrgate_[a-z0-9_]+/g)].map(([name]) => name.replace(/_bucket$/, ''));
}

const alerts = [...readRoot(RULES).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

describe('alerts for Prometheus', () => {
  it('are raised by what they describe, and by nothing less', function () {
    const found = spawnSync('promtool', ['test', 'rules', TESTS], { encoding: 'utf8' });
    if (found.error !== undefined) {
      console.log('      SKIPPED rules of Prometheus: install promtool (Debian: prometheus) to run it');
      this.skip();
    }
    assert.equal(found.status, 0, found.stdout + found.stderr);
  }).timeout(60_000);

  it('have a test that they are raised and one that they are not', () => {
    const named = [...readRoot(TESTS).matchAll(/- name: (.*)/g)].map(([, name]) => name);
    assert.ok(alerts.length >= 10);
    assert.deepEqual(
      named,
      alerts.flatMap((alert) => [`${alert} is raised`, `${alert} is not raised`]),
    );
  });

  it('have a section of the runbook each, which they name', () => {
    const sections = [...readRoot('docs/runbook.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(sections, alerts);
    const links = [...readRoot(RULES).matchAll(/runbook: '(.*)'/g)].map(([, link]) => link);
    assert.deepEqual(
      links,
      alerts.map((alert) => `docs/runbook.md#${alert.toLowerCase()}`),
    );
  });

  it('read metrics that exist', () => {
    const known = registeredMetrics();
    assert.deepEqual(
      metricsIn(readRoot(RULES)).filter((name) => !known.has(name)),
      [],
    );
  });
});

describe('the dashboard for Grafana', () => {
  const { panels } = JSON.parse(readRoot(DASHBOARD)) as { readonly panels: readonly Panel[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('reads metrics that exist, and shows each of them', () => {
    const known = registeredMetrics();
    const shown = new Set(expressions.flatMap(metricsIn));
    assert.deepEqual(
      [...shown].filter((name) => !known.has(name)),
      [],
    );
    assert.deepEqual(
      [...known.keys()].filter((name) => !shown.has(name)),
      [],
    );
  });

  it('has expressions that Prometheus can read', function () {
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const input = JSON.stringify({ groups: [{ name: 'panels', rules }] });
    const folder = mkdtempSync(join(tmpdir(), 'errgate-panels-'));
    writeFileSync(join(folder, 'panels.yml'), input);
    const found = spawnSync('promtool', ['check', 'rules', join(folder, 'panels.yml')], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    if (found.error !== undefined) {
      console.log('      SKIPPED expressions of the dashboard: install promtool (Debian: prometheus) to run it');
      this.skip();
    }
    assert.equal(found.status, 0, found.stdout + found.stderr);
  });
});
