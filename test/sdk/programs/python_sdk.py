"""What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message."""
import sys

import sentry_sdk

sentry_sdk.init(dsn=sys.argv[1], release="shop@1.4.2", environment="staging", debug=True)

sentry_sdk.set_user({"id": "7", "email": "ada@example.com"})
sentry_sdk.set_tag("shard", "eu-1")
sentry_sdk.add_breadcrumb(category="cart", message="added a book", level="info")

# Sessions belong to the hub in 1.x, to the isolation scope since 2.0.
if hasattr(sentry_sdk, "get_isolation_scope"):
    sessions = sentry_sdk.get_isolation_scope()
else:
    sessions = sentry_sdk.Hub.current


def charge():
    raise KeyError("card number is missing")


def checkout():
    try:
        charge()
    except KeyError as cause:
        raise ValueError("checkout failed") from cause


sessions.start_session(session_mode="application")
try:
    checkout()
except ValueError as error:
    sentry_sdk.capture_exception(error)
sentry_sdk.capture_message("hello from python", level="warning")
sessions.end_session()

# A request without an error: it is sent as part of a sum.
sessions.start_session(session_mode="request")
sessions.end_session()
sentry_sdk.flush(timeout=20)
