import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { documentedPath, openApiDocument } from '../src/gateway/openapi.ts';
import type { Route } from '../src/gateway/route.ts';
import { routes } from '../src/gateway/routes/routes.ts';

/**
 * Generates docs/openapi.json and the route table of docs/api.md from the routes. With `--check`, only reports whether
 * both are up to date.
 */
const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFile(at(path), 'utf8');

function row({ method, path, summary, action, parameters }: Route): string {
  const names = Object.keys(parameters?.properties ?? {}).map((name) => `\`${name}\``);
  return `| \`${method} ${documentedPath(path)}\` | ${summary} | ${names.join(', ')} | ${action ?? 'open to everybody'} |`;
}

async function apiPage(): Promise<string> {
  const table = ['| route | what it does | parameters | action |', '| --- | --- | --- | --- |', ...routes.map(row)];
  const page = (await read('docs/api.md')).replace(
    /(<!-- routes:begin -->)[^]*(<!-- routes:end -->)/,
    (_, begin: string, end: string) => `${begin}\n\n${table.join('\n')}\n\n${end}`,
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
