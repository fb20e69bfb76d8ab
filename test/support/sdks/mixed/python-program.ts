import { type MixedError, type MixedProgram, numbersOf, textOf } from './mixed-error.ts';

export function pythonProgram({ dsn, language, errors, round }: MixedProgram): string {
  const { first, most } = numbersOf(round);
  return `import sentry_sdk

FIRST = ${first}
MOST = ${most}
sentry_sdk.init(dsn="${dsn}", release="shop@1.4.2", environment="staging")


${errors.map((error) => functionOf(error, language)).join('\n\n')}

ALL = [
${errors.map(({ word, times }) => `    (fail_${word}, ${times}),`).join('\n')}
]


def attempt(fail, number):
    try:
        fail(number)
    except Exception as error:
        sentry_sdk.capture_exception(error)


for number in range(FIRST, FIRST + MOST):
    sentry_sdk.set_user({"id": str(number)})
    for fail, times in ALL:
        if number - FIRST < times:
            attempt(fail, number)
            sentry_sdk.flush(timeout=20)
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `raise ValueError("${text}")`,
    cause: `try:
        raise KeyError("cause: ${text}")
    except KeyError as cause:
        raise ValueError("${text}") from cause`,
    varying: `raise ValueError(f"${textOf(error, language, ' {number}')}")`,
    message: `sentry_sdk.capture_message("${text}", level="warning")`,
    fingerprint: `with sentry_sdk.new_scope() as scope:
        scope.fingerprint = ["${language}", "${error.word}"]
        try:
            raise ValueError("${text}")
        except ValueError as error:
            sentry_sdk.capture_exception(error)`,
    // Never raised, so it has no traceback.
    bare: `sentry_sdk.capture_exception(ValueError("${text}"))`,
  };
  return `def fail_${error.word}(number):\n    ${lines[error.kind]}\n`;
}
