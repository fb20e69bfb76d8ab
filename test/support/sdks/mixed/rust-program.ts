import { type MixedError, type MixedProgram, numbersOf, textOf } from './mixed-error.ts';

export function rustProgram({ dsn, language, errors, round }: MixedProgram): string {
  const { first, most } = numbersOf(round);
  return `use std::{error::Error, fmt, time::Duration};

const FIRST: u32 = ${first};
const MOST: u32 = ${most};

#[derive(Debug)]
struct CardError(String);

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for CardError {}

#[derive(Debug)]
struct ShopError(String, Option<CardError>);

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ShopError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_ref().map(|cause| cause as &(dyn Error + 'static))
    }
}

${errors.map((error) => functionOf(error, language)).join('\n')}
const ALL: &[(fn(u32), u32)] = &[
${errors.map(({ word, times }) => `    (fail_${word}, ${times}),`).join('\n')}
];

fn main() {
    let mut options = sentry::ClientOptions::default();
    options.release = Some("shop@1.4.2".into());
    options.environment = Some("staging".into());
    options.attach_stacktrace = true;
    options.shutdown_timeout = Duration::from_secs(20);
    let _guard = sentry::init(("${dsn}", options));
    for number in FIRST..FIRST + MOST {
        sentry::configure_scope(|scope| {
            scope.set_user(Some(sentry::User { id: Some(number.to_string()), ..Default::default() }));
        });
        for (fail, times) in ALL {
            if number - FIRST >= *times {
                continue;
            }
            fail(number);
            let client = sentry::Hub::current().client().expect("a client");
            client.flush(Some(Duration::from_secs(20)));
        }
    }
}
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `sentry::capture_error(&ShopError("${text}".into(), None));`,
    cause: `let cause = CardError("cause: ${text}".into());
    sentry::capture_error(&ShopError("${text}".into(), Some(cause)));`,
    varying: `sentry::capture_error(&ShopError(format!("${textOf(error, language, ' {number}')}"), None));`,
    message: `sentry::capture_message("${text}", sentry::Level::Warning);`,
    fingerprint: `let scoped = |scope: &mut sentry::Scope| scope.set_fingerprint(Some(&["${language}", "${error.word}"]));
    sentry::with_scope(scoped, || {
        sentry::capture_error(&ShopError("${text}".into(), None));
    });`,
    bare: `let mut event = sentry::protocol::Event::default();
    event.level = sentry::Level::Error;
    event.exception = vec![sentry::protocol::Exception {
        ty: "ShopError".into(),
        value: Some("${text}".into()),
        ..Default::default()
    }]
    .into();
    sentry::capture_event(event);`,
  };
  const parameter = error.kind === 'varying' ? 'number' : '_number';
  return `#[inline(never)]\nfn fail_${error.word}(${parameter}: u32) {\n    ${lines[error.kind]}\n}\n`;
}
