import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/**
 * Replaces a built module, which only exports parts of a library, by these parts and what they need. The package then
 * needs the library no longer, only the packages in `external`. The licence of the library follows the code.
 */
export async function inlineLibrary(file, library, external) {
  const { output } = await build({
    input: file,
    platform: 'node',
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    output: { format: 'esm', minify: true, comments: false },
    write: false,
    logLevel: 'warn',
  });
  if (output.length !== 1) throw new Error(`${library} became ${output.length} files instead of one`);
  writeFileSync(file, output[0].code);
  const licence = readFileSync(join(library, 'LICENSE'), 'utf8').replaceAll('*/', '* /');
  appendFileSync(file, `/*\n${licence}*/\n`);
  rmSync(`${file}.map`, { force: true });
}
