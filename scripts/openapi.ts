import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { documentedPath, openApiDocument } from '../src/gateway/http/openapi.ts';
import type { Route } from '../src/gateway/http/route.ts';
import { routes } from '../src/gateway/routes.ts';

/**
 * Generates docs/openapi.json and the route list of docs/api.md from the routes. With `--check`, only reports whether
 * both are up to date.
 */
const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFile(at(path), 'utf8');

/** Headings of the page and the paths below each; the first one that fits counts. */
const GROUPS: readonly (readonly [heading: string, path: RegExp])[] = [
  [
    'Errors and events',
    /^\/api\/v4\/error_tracking\/errors$|\{id\}\/error_tracking\/(errors|capabilities|filter_values|releases|user_reports|views)/,
  ],
  ['Settings and client keys', /\{id\}\/error_tracking\/(settings|client_keys|protection|test_event|forwarding|links)/],
  ['Alerts', /\/error_tracking\/alert|^\/-\/alerts\/|\/user\/alert_settings$/],
  ['Outcomes and refused requests', /\{id\}\/error_tracking\/(outcomes|refused)$/],
  ['Moving in', /\/error_tracking\/(import|former_links|forwarding|export\.csv)$/],
  ['Projects and members', /^\/api\/v4\/(error_tracking\/)?projects/],
  ['Users and tokens', /^\/api\/v4\/(users?|personal_access_tokens)(\/|$)/],
  ['Service', /^\/api\/v4\/(version|openapi\.json|admin\/)/],
  ['Sessions of browsers', /^\/-\/sessions?(\/|$)/],
  ['JSON for the pages', /^\/\{project_path\}\//],
  ['Probes and metrics', /^\/-\/(liveness|readiness|health|metrics)$/],
];

function entry({ method, path, summary, action, parameters }: Route): string {
  const names = Object.keys(parameters?.properties ?? {}).map((name) => `\`${name}\``);
  const takes = names.length === 0 ? '' : ` Parameters: ${names.join(', ')}.`;
  const needs = action === null ? 'Open to everybody.' : `Action: \`${action}\`.`;
  return `- \`${method} ${documentedPath(path)}\`\\\n  ${summary}.${takes} ${needs}`;
}

/** Every route once, in the order in which the router asks them, under the heading of its group. */
function routeLists(): string {
  const groupOf = ({ path }: Route): string =>
    GROUPS.find(([, pattern]) => pattern.test(documentedPath(path)))?.[0] ?? '';
  const lists = GROUPS.map(([heading]) => ({ heading, entries: routes.filter((route) => groupOf(route) === heading) }));
  const missing = routes.filter((route) => groupOf(route) === '');
  if (missing.length > 0) throw new Error(`no group for ${missing.map(({ path }) => path).join(', ')}`);
  return lists.map(({ heading, entries }) => `### ${heading}\n\n${entries.map(entry).join('\n')}`).join('\n\n');
}

async function apiPage(): Promise<string> {
  const page = (await read('docs/api.md')).replace(
    /(<!-- routes:begin -->)[^]*(<!-- routes:end -->)/,
    (_, begin: string, end: string) => `${begin}\n\n${routeLists()}\n\n${end}`,
  );
  return format(page, { ...(await resolveConfig(at('docs/api.md'))), parser: 'markdown' });
}

async function openApi(): Promise<string> {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const document = openApiDocument(routes, { version, serverUrl: 'http://localhost:8080' });
  return `${JSON.stringify(document, null, 2)}\n`;
}

for (const [path, text] of [
  ['docs/openapi.json', await openApi()],
  ['docs/api.md', await apiPage()],
] as const) {
  const present = await read(path).catch(() => '');
  if (present === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${path} is out of date: run node --import=tsx scripts/openapi.ts`);
    process.exitCode = 1;
  } else {
    await writeFile(at(path), text);
  }
}
