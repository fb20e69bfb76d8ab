// What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

type paymentError struct{ cause error }

func (e *paymentError) Error() string { return "checkout failed" }
func (e *paymentError) Unwrap() error { return e.cause }

func charge() error {
	return errors.New("card number is missing")
}

func checkout() {
	if err := charge(); err != nil {
		sentry.CaptureException(&paymentError{err})
	}
}

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:         os.Args[1],
		Release:     "shop@1.4.2",
		Environment: "staging",
		Debug:       true,
		DebugWriter: os.Stderr,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "ERROR", err)
		os.Exit(2)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "7", Email: "ada@example.com"})
		scope.SetTag("shard", "eu-1")
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{Category: "cart", Message: "added a book", Level: sentry.LevelInfo})
	checkout()
	sentry.WithScope(func(scope *sentry.Scope) {
		scope.SetLevel(sentry.LevelWarning)
		sentry.CaptureMessage("hello from go")
	})
	if !sentry.Flush(20 * time.Second) {
		os.Exit(3)
	}
}
