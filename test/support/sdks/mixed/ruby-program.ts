import { type MixedError, type MixedProgram, numbersOf, textOf } from './mixed-error.ts';

export function rubyProgram({ dsn, language, errors, round }: MixedProgram): string {
  const { first, most } = numbersOf(round);
  return `require "sentry-ruby"

FIRST = ${first}
MOST = ${most}
Sentry.init do |config|
  config.dsn = "${dsn}"
  config.release = "shop@1.4.2"
  config.environment = "staging"
  config.background_worker_threads = 0
end

${errors.map((error) => functionOf(error, language)).join('\n')}
ALL = {
${errors.map(({ word, times }) => `  fail_${word}: ${times},`).join('\n')}
}

def attempt(fail, number)
  send(fail, number)
rescue StandardError => error
  Sentry.capture_exception(error)
end

(FIRST...FIRST + MOST).each do |number|
  Sentry.set_user(id: number.to_s)
  ALL.each do |fail, times|
    attempt(fail, number) if number - FIRST < times
  end
end
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `raise ArgumentError, "${text}"`,
    cause: `raise KeyError, "cause: ${text}"
rescue KeyError
  raise ArgumentError, "${text}"`,
    varying: `raise ArgumentError, "${textOf(error, language, ' #{number}')}"`,
    message: `Sentry.capture_message("${text}", level: :warning)`,
    fingerprint: `raise ArgumentError, "${text}"
rescue ArgumentError => error
  Sentry.capture_exception(error, fingerprint: ["${language}", "${error.word}"])`,
    // Never raised, so it has no backtrace.
    bare: `Sentry.capture_exception(ArgumentError.new("${text}"))`,
  };
  return `def fail_${error.word}(number)\n  ${lines[error.kind]}\nend\n`;
}
