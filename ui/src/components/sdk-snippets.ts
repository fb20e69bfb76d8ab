/** Instructions to connect an SDK: commands and code. */
export interface SdkSnippet {
  readonly id: string;
  readonly name: string;
  /** Name of the language for the highlighter. */
  readonly language: string;
  /** Commands to run in an empty folder. */
  readonly install: string;
  /** Name of the file for the code. */
  readonly file: string;
  /** Command that runs the file; null for code within a web page. */
  readonly run: string | null;
  readonly code: (dsn: string) => string;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Languages of the specification, and the browser. Each example sends one error. */
export const SDK_SNIPPETS: readonly [SdkSnippet, ...SdkSnippet[]] = [
  {
    id: 'node',
    name: 'Node.js',
    language: 'javascript',
    install: 'npm install @sentry/node',
    file: 'app.mjs',
    run: 'node app.mjs',
    code: (dsn) => `import * as Sentry from '@sentry/node';

Sentry.init({ dsn: ${quoted(dsn)} });

Sentry.captureException(new Error('my first error'));`,
  },
  {
    id: 'browser',
    name: 'Browser',
    language: 'javascript',
    install: 'npm install @sentry/browser',
    file: 'app.js',
    run: null,
    code: (dsn) => `import * as Sentry from '@sentry/browser';

Sentry.init({ dsn: ${quoted(dsn)} });

Sentry.captureException(new Error('my first error'));`,
  },
  {
    id: 'python',
    name: 'Python',
    language: 'python',
    install: 'pip install sentry-sdk',
    file: 'app.py',
    run: 'python app.py',
    code: (dsn) => `import sentry_sdk

sentry_sdk.init(dsn=${quoted(dsn)})

sentry_sdk.capture_exception(ValueError("my first error"))`,
  },
  {
    id: 'go',
    name: 'Go',
    language: 'go',
    install: 'go mod init app\ngo get github.com/getsentry/sentry-go',
    file: 'main.go',
    run: 'go run .',
    code: (dsn) => `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{Dsn: ${quoted(dsn)}})
	if err != nil {
		log.Fatal(err)
	}
	defer sentry.Flush(2 * time.Second)

	sentry.CaptureException(errors.New("my first error"))
}`,
  },
  {
    id: 'java',
    name: 'Java',
    language: 'java',
    install: `cat > build.gradle <<'END'
plugins { id 'application' }
repositories { mavenCentral() }
dependencies { implementation 'io.sentry:sentry:8.+' }
application { mainClass = 'App' }
END
mkdir -p src/main/java`,
    file: 'src/main/java/App.java',
    run: 'gradle run',
    code: (dsn) => `import io.sentry.Sentry;

public class App {
  public static void main(String[] args) {
    Sentry.init(options -> options.setDsn(${quoted(dsn)}));

    Sentry.captureException(new IllegalStateException("my first error"));
  }
}`,
  },
  {
    id: 'php',
    name: 'PHP',
    language: 'php',
    install: 'composer require sentry/sentry',
    file: 'app.php',
    run: 'php app.php',
    code: (dsn) => `<?php
require 'vendor/autoload.php';

\\Sentry\\init(['dsn' => '${dsn}']);

\\Sentry\\captureException(new RuntimeException('my first error'));`,
  },
  {
    id: 'ruby',
    name: 'Ruby',
    language: 'ruby',
    install: 'gem install sentry-ruby',
    file: 'app.rb',
    run: 'ruby app.rb',
    code: (dsn) => `require 'sentry-ruby'

Sentry.init { |config| config.dsn = ${quoted(dsn)} }

Sentry.capture_exception(RuntimeError.new('my first error'))`,
  },
  {
    id: 'rust',
    name: 'Rust',
    language: 'rust',
    install: 'cargo new app\ncd app\ncargo add sentry',
    file: 'src/main.rs',
    run: 'cargo run',
    code: (dsn) => `fn main() {
    let _guard = sentry::init(${quoted(dsn)});

    let error = std::io::Error::other("my first error");
    sentry::capture_error(&error);
}`,
  },
];
