import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { ROOT } from './doc-pages.ts';

export const CHART = join(ROOT, 'charts', 'errgate');

/** Object of Kubernetes. Tests read its members as they are written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type KubernetesObject = Readonly<Record<string, any>>;

interface Rendered {
  readonly status: number | null;
  readonly text: string;
  readonly stderr: string;
}

/** Renders the chart as `helm template` does; its exit code and message where it is refused. */
export function renderChart(values: object, ...options: readonly string[]): Rendered {
  const args = ['template', 'errgate', CHART, '--namespace', 'errors', '--kube-version', '1.31.0', '--values', '-'];
  const { status, stdout, stderr } = spawnSync('helm', [...args, ...options], {
    encoding: 'utf8',
    input: stringify(values),
  });
  return { status, text: stdout, stderr };
}

/** Objects of a rendered chart by kind and name: `Service errgate`. */
export function objectsOf(text: string): ReadonlyMap<string, KubernetesObject> {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
  return new Map(
    objects
      .filter((object) => object !== null)
      .map((object) => [`${String(object['kind'])} ${String(object['metadata'].name)}`, object]),
  );
}
