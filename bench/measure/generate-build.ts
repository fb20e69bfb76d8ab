/** Source map of a build, its script, and places in the script. */
export interface GeneratedBuild {
  readonly map: string;
  readonly script: string;
  /** Places of calls, from 1. */
  readonly places: readonly { readonly lineno: number; readonly colno: number }[];
}

/** Files of a build with a map of some 30 MB. */
export const LARGE_FILES = 490;
const FUNCTIONS_PER_SOURCE = 60;
/** Calls in each function: one segment and a half each. */
const CALLS = 8;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit] ?? '';
  } while (rest > 0);
  return text;
}

/**
 * Generates a build of files with 60 functions each, minified to one line as bundlers do. A file takes some 61 KB of map
 * and 12 KB of script. The same each time.
 */
export function generateBuild(placesWanted: number, files: number): GeneratedBuild {
  const sources: string[] = [];
  const contents: string[] = [];
  const names: string[] = [];
  const segments: string[] = [];
  const script: string[] = [];
  const calls: number[] = [];
  let column = 0;
  const last = { column: 0, source: 0, line: 0, originalColumn: 0, name: 0 };
  const segment = (source: number, line: number, originalColumn: number, name?: number) => {
    let text = vlq(column - last.column) + vlq(source - last.source) + vlq(line - last.line);
    text += vlq(originalColumn - last.originalColumn);
    Object.assign(last, { column, source, line, originalColumn });
    if (name !== undefined) {
      text += vlq(name - last.name);
      last.name = name;
    }
    segments.push(text);
  };
  const write = (text: string) => {
    script.push(text);
    column += text.length;
  };
  for (let source = 0; source < files; source += 1) {
    const lines: string[] = [];
    sources.push(`../../src/area${source % 40}/module${source}.ts`);
    for (let each = 0; each < FUNCTIONS_PER_SOURCE; each += 1) {
      const number = source * FUNCTIONS_PER_SOURCE + each;
      const name = names.push(`calculateTotalOfBasket${number}`) - 1;
      segment(source, lines.length, 0);
      write('function ');
      segment(source, lines.length, 16, name);
      // No keyword begins with m.
      write(`m${number.toString(36)}(e){`);
      lines.push(`export function ${names[name] ?? ''}(basket: Basket, options: Options): number {`);
      for (let call = 0; call < CALLS; call += 1) {
        const line = lines.length;
        lines.push(`  options.logger.debug('step ${call} of basket', basket.items[${call}]?.price ?? ${number});`);
        for (const [originalColumn, text] of [
          [2, 'e.'],
          [10, 'a.'],
          [17, `d("step ${call}",`],
          [43, 'e.'],
          [50, `i[${call}]`],
          [60, '.p)'],
          [70, ';'],
        ] as const) {
          if (originalColumn === 17) calls.push(column + 1);
          segment(source, line, originalColumn);
          write(text);
        }
      }
      segment(source, lines.length, 0);
      write('}');
      lines.push('}', '');
    }
    contents.push(lines.join('\n'));
  }
  const step = Math.floor(calls.length / placesWanted);
  const places = Array.from({ length: placesWanted }, (_, n) => ({ lineno: 1, colno: calls[n * step] ?? 1 }));
  const map = { version: 3, file: 'app.js', sources, sourcesContent: contents, names, mappings: segments.join(',') };
  return { map: JSON.stringify(map), script: script.join(''), places };
}
