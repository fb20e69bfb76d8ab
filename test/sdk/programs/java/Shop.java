import io.sentry.Breadcrumb;
import io.sentry.Sentry;
import io.sentry.SentryLevel;
import io.sentry.protocol.User;

/** What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message. */
public final class Shop {
  static void charge() {
    throw new IllegalArgumentException("card number is missing");
  }

  static void checkout() {
    try {
      charge();
    } catch (IllegalArgumentException cause) {
      throw new IllegalStateException("checkout failed", cause);
    }
  }

  public static void main(String[] args) {
    Sentry.init(
        options -> {
          options.setDsn(args[0]);
          options.setRelease("shop@1.4.2");
          options.setEnvironment("staging");
          options.setDebug(true);
          options.addInAppInclude("Shop");
        });
    User user = new User();
    user.setId("7");
    user.setEmail("ada@example.com");
    Sentry.setUser(user);
    Sentry.setTag("shard", "eu-1");
    Breadcrumb crumb = new Breadcrumb("added a book");
    crumb.setCategory("cart");
    Sentry.addBreadcrumb(crumb);

    Sentry.startSession();
    try {
      checkout();
    } catch (IllegalStateException error) {
      Sentry.captureException(error);
    }
    Sentry.captureMessage("hello from java", SentryLevel.WARNING);
    Sentry.endSession();
    Sentry.flush(20_000);
    Sentry.close();
  }
}
