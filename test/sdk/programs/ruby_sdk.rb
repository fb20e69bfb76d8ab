# What a person's first program looks like: the SDK with its debug option, one exception with a cause, one message.
require "sentry-ruby"

Sentry.init do |config|
  config.dsn = ARGV[0]
  config.release = "shop@1.4.2"
  config.environment = "staging"
  config.debug = true
  config.logger = Logger.new($stderr)
  config.background_worker_threads = 0
end

Sentry.set_user(id: "7", email: "ada@example.com")
Sentry.set_tags(shard: "eu-1")
Sentry.add_breadcrumb(Sentry::Breadcrumb.new(category: "cart", message: "added a book", level: "info"))

def charge
  raise KeyError, "card number is missing"
end

def checkout
  charge
rescue KeyError
  raise ArgumentError, "checkout failed"
end

Sentry.with_session_tracking do
  begin
    checkout
  rescue ArgumentError => error
    Sentry.capture_exception(error)
  end
  Sentry.capture_message("hello from ruby", level: :warning)
end
Sentry.session_flusher.flush
