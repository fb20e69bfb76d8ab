import { type MixedError, type MixedProgram, numbersOf, textOf, titled } from './mixed-error.ts';

export function javaProgram({ dsn, language, errors, round }: MixedProgram): string {
  const { first, most } = numbersOf(round);
  return `import io.sentry.Sentry;
import io.sentry.SentryEvent;
import io.sentry.SentryLevel;
import io.sentry.protocol.SentryException;
import io.sentry.protocol.User;
import java.util.List;
import java.util.function.IntConsumer;

public final class App {
  static final int FIRST = ${first};
  static final int MOST = ${most};

  record One(IntConsumer fail, int times) {}

${errors.map((error) => functionOf(error, language)).join('\n')}
  static final List<One> ALL = List.of(
${errors.map(({ word, times }) => `      new One(App::fail${titled(word)}, ${times})`).join(',\n')});

  static void attempt(One one, int number) {
    try {
      one.fail().accept(number);
    } catch (IllegalStateException error) {
      Sentry.captureException(error);
    }
  }

  public static void main(String[] args) {
    Sentry.init(
        options -> {
          options.setDsn("${dsn}");
          options.setRelease("shop@1.4.2");
          options.setEnvironment("staging");
          options.addInAppInclude("App");
        });
    for (int number = FIRST; number < FIRST + MOST; number++) {
      User user = new User();
      user.setId(String.valueOf(number));
      Sentry.setUser(user);
      for (One one : ALL) {
        if (number - FIRST >= one.times()) continue;
        attempt(one, number);
        Sentry.flush(20_000);
      }
    }
    Sentry.close();
  }
}
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `throw new IllegalStateException("${text}");`,
    cause: `throw new IllegalStateException("${text}", new IllegalArgumentException("cause: ${text}"));`,
    varying: `throw new IllegalStateException("${textOf(error, language, ' " + number + "')}");`,
    message: `Sentry.captureMessage("${text}", SentryLevel.WARNING);`,
    fingerprint: `Sentry.withScope(
        scope -> {
          scope.setFingerprint(List.of("${language}", "${error.word}"));
          Sentry.captureException(new IllegalStateException("${text}"));
        });`,
    bare: `SentryException exception = new SentryException();
    exception.setType("ShopError");
    exception.setValue("${text}");
    SentryEvent event = new SentryEvent();
    event.setExceptions(List.of(exception));
    Sentry.captureEvent(event);`,
  };
  return `  static void fail${titled(error.word)}(int number) {\n    ${lines[error.kind]}\n  }\n`;
}
