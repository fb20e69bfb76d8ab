import { type MixedError, type MixedProgram, numbersOf, textOf, titled } from './mixed-error.ts';

/** Program for Node.js, as a module. */
export const nodeProgram = (program: MixedProgram): string => scriptProgram(program, '@sentry/node', '');

/** Browsers refuse requests with `keepalive` beyond 64 KB at a time, and the SDK drops what was refused. */
const NO_KEEPALIVE = ', transportOptions: { fetchOptions: { keepalive: false } }';

/** Program for a page; `sent` becomes true when all was sent. */
export const browserProgram = (program: MixedProgram): string =>
  scriptProgram(program, '@sentry/browser', NO_KEEPALIVE);

function scriptProgram({ dsn, language, errors, round }: MixedProgram, sdk: string, options: string): string {
  const { first, most } = numbersOf(round);
  return `import * as Sentry from '${sdk}';

const FIRST = ${first};
const MOST = ${most};
Sentry.init({ dsn: '${dsn}', release: 'shop@1.4.2', environment: 'staging'${options} });

${errors.map((error) => functionOf(error, language)).join('\n')}
const ALL = [
${errors.map(({ word, times }) => `  [${nameOf(word, language)}, ${times}],`).join('\n')}
];

function attempt(fail, number) {
  try {
    fail(number);
  } catch (error) {
    Sentry.captureException(error);
  }
}

async function sendAll() {
  let sent = true;
  for (let number = FIRST; number < FIRST + MOST; number += 1) {
    Sentry.setUser({ id: String(number) });
    for (const [fail, times] of ALL) {
      if (number - FIRST >= times) continue;
      attempt(fail, number);
      sent = (await Sentry.flush(20_000)) && sent;
    }
  }
  return sent;
}

globalThis.sent = sendAll();
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `throw new RangeError('${text}');`,
    cause: `try {
    throw new TypeError('cause: ${text}');
  } catch (cause) {
    throw new RangeError('${text}', { cause });
  }`,
    varying: `throw new RangeError(\`${textOf(error, language, ' ${number}')}\`);`,
    message: `Sentry.captureMessage('${text}', 'warning');`,
    fingerprint: `Sentry.captureException(new RangeError('${text}'), { fingerprint: ['${language}', '${error.word}'] });`,
    bare: `Sentry.captureEvent({ exception: { values: [{ type: 'ShopError', value: '${text}' }] } });`,
  };
  return `function ${nameOf(error.word, language)}(${error.kind === 'varying' ? 'number' : ''}) {\n  ${lines[error.kind]}\n}\n`;
}

/** Trackers take a message of a script for the same error as another's if their functions have one name. */
const nameOf = (word: string, language: string): string => `fail${titled(word)}In${titled(language)}`;
