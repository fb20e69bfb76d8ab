import { type MixedError, type MixedProgram, numbersOf, textOf, titled } from './mixed-error.ts';

export function goProgram({ dsn, language, errors, round }: MixedProgram): string {
  const { first, most } = numbersOf(round);
  return `package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/getsentry/sentry-go"
)

const first = ${first}
const most = ${most}

type failure struct{ text string }

func (e *failure) Error() string { return e.text }

${errors.map((error) => functionOf(error, language)).join('\n')}
var all = []struct {
	fail  func(int)
	times int
}{
${errors.map(({ word, times }) => `	{fail${titled(word)}, ${times}},`).join('\n')}
}

func main() {
	err := sentry.Init(sentry.ClientOptions{Dsn: "${dsn}", Release: "shop@1.4.2", Environment: "staging"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for number := first; number < first+most; number++ {
		sentry.CurrentHub().Scope().SetUser(sentry.User{ID: strconv.Itoa(number)})
		for _, one := range all {
			if number-first >= one.times {
				continue
			}
			one.fail(number)
			if !sentry.Flush(20 * time.Second) {
				os.Exit(3)
			}
		}
	}
}
`;
}

function functionOf(error: MixedError, language: string): string {
  const text = textOf(error, language);
  const lines = {
    stack: `sentry.CaptureException(&failure{"${text}"})`,
    cause: `sentry.CaptureException(fmt.Errorf("${text}: %w", &failure{"no stock"}))`,
    varying: `sentry.CaptureException(&failure{fmt.Sprintf("${textOf(error, language, ' %d')}", number)})`,
    message: `sentry.CaptureMessage("${text}")`,
    fingerprint: `sentry.WithScope(func(scope *sentry.Scope) {
		scope.SetFingerprint([]string{"${language}", "${error.word}"})
		sentry.CaptureException(&failure{"${text}"})
	})`,
    bare: `event := sentry.NewEvent()
	event.Level = sentry.LevelError
	event.Exception = []sentry.Exception{{Type: "ShopError", Value: "${text}"}}
	sentry.CaptureEvent(event)`,
  };
  return `func fail${titled(error.word)}(number int) {\n\t${lines[error.kind]}\n}\n`;
}
