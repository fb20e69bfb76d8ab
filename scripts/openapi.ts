import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../src/gateway/http/openapi.ts';
import { routes } from '../src/gateway/routes.ts';

/** Generates docs/openapi.json from the routes. With `--check`, only reports whether it is up to date. */
const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFile(at(path), 'utf8');

async function openApi(): Promise<string> {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const document = openApiDocument(routes, { version, serverUrl: 'http://localhost:8080' });
  return `${JSON.stringify(document, null, 2)}\n`;
}

const PAGE = 'docs/openapi.json';
const text = await openApi();
if ((await read(PAGE).catch(() => '')) !== text) {
  if (process.argv.includes('--check')) {
    console.error(`${PAGE} is out of date: run npm run openapi`);
    process.exitCode = 1;
  } else {
    await writeFile(at(PAGE), text);
  }
}
