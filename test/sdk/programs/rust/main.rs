//! What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message.
use std::{error::Error, fmt, time::Duration};

#[derive(Debug)]
struct CardError;

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("card number is missing")
    }
}

impl Error for CardError {}

#[derive(Debug)]
struct CheckoutError(CardError);

impl fmt::Display for CheckoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkout failed")
    }
}

impl Error for CheckoutError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn charge() -> Result<(), CardError> {
    Err(CardError)
}

#[inline(never)]
fn checkout() {
    if let Err(error) = charge().map_err(CheckoutError) {
        sentry::capture_error(&error);
    }
}

fn main() {
    let dsn = std::env::args().nth(1).expect("the DSN as argument");
    let mut options = sentry::ClientOptions::default();
    options.release = Some("shop@1.4.2".into());
    options.environment = Some("staging".into());
    options.debug = true;
    options.attach_stacktrace = true;
    options.shutdown_timeout = Duration::from_secs(20);
    let guard = sentry::init((dsn, options));
    sentry::configure_scope(|scope| {
        scope.set_user(Some(sentry::User {
            id: Some("7".into()),
            email: Some("ada@example.com".into()),
            ..Default::default()
        }));
        scope.set_tag("shard", "eu-1");
    });
    sentry::add_breadcrumb(sentry::Breadcrumb {
        category: Some("cart".into()),
        message: Some("added a book".into()),
        ..Default::default()
    });
    sentry::start_session();
    checkout();
    sentry::capture_message("hello from rust", sentry::Level::Warning);
    sentry::end_session();
    drop(guard);
}
