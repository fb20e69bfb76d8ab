import { different, same } from '../pair.ts';
import { ruby } from '../shapes/ruby.ts';

const action = `
  /app/app/models/cart.rb:12 in add | raise Closed if closed?
  /app/app/controllers/carts_controller.rb:8 in create | @cart.add(item)
  /usr/local/bundle/gems/actionpack-7.0.4/lib/action_controller/metal/basic_implicit_render.rb:6 in send_action | super`;
const closed = { type: 'Cart::Closed', value: 'cart 7 is closed', stack: action };

export const rubyPairs = [
  same(
    'another version of the gems and moved lines',
    ruby(closed),
    ruby({
      ...closed,
      value: 'cart 1205 is closed',
      stack: `
        /app/app/models/cart.rb:19 in add | raise Closed if closed?
        /app/app/controllers/carts_controller.rb:9 in create | @cart.add(item)
        /usr/local/bundle/gems/actionpack-7.1.3.2/lib/action_controller/metal/basic_implicit_render.rb:6 in send_action | super`,
    }),
  ),
  same(
    'Ruby 3.4 names the class of a method',
    ruby({
      type: 'NoMethodError',
      value: "undefined method `price' for nil:NilClass",
      stack: `
        /app/app/models/cart.rb:30 in block in total
        /app/app/models/cart.rb:30 in each
        /app/app/models/cart.rb:30 in total`,
    }),
    ruby({
      type: 'NoMethodError',
      value: "undefined method 'price' for nil",
      stack: `
        /app/app/models/cart.rb:30 in block in Cart#total
        /app/app/models/cart.rb:30 in Array#each
        /app/app/models/cart.rb:30 in Cart#total`,
    }),
  ),
  same(
    'levels of blocks and rescue',
    ruby({
      type: 'Timeout::Error',
      value: 'execution expired',
      stack: `
        /app/lib/sync.rb:9 in block (2 levels) in pull
        /app/lib/sync.rb:3 in pull`,
    }),
    ruby({
      type: 'Timeout::Error',
      value: 'execution expired',
      stack: `
        /app/lib/sync.rb:11 in block (3 levels) in pull
        /app/lib/sync.rb:3 in pull`,
    }),
  ),
  same(
    'a method that Rails makes for a callback or a template',
    ruby({
      type: 'ActionView::Template::Error',
      value: 'undefined local variable',
      stack: `
        /app/app/views/carts/show.html.erb:4 in _app_views_carts_show_html_erb__1234567890123456789_47060
        /app/app/controllers/carts_controller.rb:20 in show`,
    }),
    ruby({
      type: 'ActionView::Template::Error',
      value: 'undefined local variable',
      stack: `
        /app/app/views/carts/show.html.erb:5 in _app_views_carts_show_html_erb___982347234098234_71180
        /app/app/controllers/carts_controller.rb:20 in show`,
    }),
  ),
  same(
    'rack middleware of the SDK at the end',
    ruby(closed),
    ruby({
      ...closed,
      stack: `${action}
        /usr/local/bundle/gems/sentry-rails-5.9.0/lib/sentry/rails/controller_transaction.rb:18 in sentry_transaction
        /usr/local/bundle/gems/sentry-ruby-5.9.0/lib/sentry/rack/capture_exceptions.rb:26 in block in call`,
    }),
  ),
  same(
    'an object in the text, no stack',
    ruby({ type: 'FrozenError', value: "can't modify frozen Cart: #<Cart:0x00007f8b1c0a9d38 id: 7>" }),
    ruby({ type: 'FrozenError', value: "can't modify frozen Cart: #<Cart:0x00007fd20a1be110 id: 981>" }),
  ),
  same(
    'rescue in, by name of the frame',
    ruby({
      type: 'RuntimeError',
      value: 'giving up',
      stack: '/app/lib/sync.rb:30 in rescue in pull\n/app/lib/sync.rb:22 in pull',
    }),
    ruby({
      type: 'RuntimeError',
      value: 'giving up',
      stack: '/app/lib/sync.rb:34 in rescue in pull\n/app/lib/sync.rb:22 in pull',
    }),
  ),
  different(
    'two models with one method name',
    ruby({ ...closed, stack: '/app/app/models/cart.rb:12 in save_all' }),
    ruby({ ...closed, stack: '/app/app/models/order.rb:12 in save_all' }),
  ),
  different(
    'a record not found in two controllers',
    ruby({
      type: 'ActiveRecord::RecordNotFound',
      value: "Couldn't find Cart with 'id'=7",
      stack: `
        /usr/local/bundle/gems/activerecord-7.0.4/lib/active_record/core.rb:284 in find
        /app/app/controllers/carts_controller.rb:30 in show`,
    }),
    ruby({
      type: 'ActiveRecord::RecordNotFound',
      value: "Couldn't find Order with 'id'=7",
      stack: `
        /usr/local/bundle/gems/activerecord-7.0.4/lib/active_record/core.rb:284 in find
        /app/app/controllers/orders_controller.rb:30 in show`,
    }),
  ),
  different(
    'two types of one place',
    ruby({ type: 'KeyError', value: 'key not found: :a', stack: '/app/lib/conf.rb:3 in load' }),
    ruby({ type: 'Errno::ENOENT', value: 'No such file or directory', stack: '/app/lib/conf.rb:2 in load' }),
  ),
];
