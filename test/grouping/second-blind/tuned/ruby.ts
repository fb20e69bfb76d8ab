import { app, labelled, gem, ruby, rails, sidekiq, rails71, rails80, worker } from '../shapes/ruby.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const rubyPairs = [
  // One nil in one method; Ruby 3.4 words the message and labels the frames otherwise.
  same(
    'message and labels of Ruby 3.3 and 3.4',
    ruby([
      {
        type: 'NoMethodError',
        module: '',
        value: "undefined method `iban' for nil:NilClass",
        mechanism: rails,
        frames: [
          ...rails71,
          app('app/controllers/payouts_controller.rb', 'create', 22, '    Payouts::Request.new(current_seller).call'),
          app('app/services/payouts/request.rb', 'call', 14, '      { account: seller.bank_account.iban }'),
        ],
      },
    ]),
    ruby(
      [
        {
          type: 'NoMethodError',
          module: '',
          value: "undefined method 'iban' for nil",
          mechanism: rails,
          frames: [
            ...rails80,
            labelled(
              app(
                'app/controllers/payouts_controller.rb',
                'create',
                22,
                '    Payouts::Request.new(current_seller).call',
              ),
              'PayoutsController',
            ),
            labelled(
              app('app/services/payouts/request.rb', 'call', 14, '      { account: seller.bank_account.iban }'),
              'Payouts::Request',
            ),
          ],
        },
      ],
      '5.22.1',
    ),
  ),
  // The inspected object has an address and ids of its own; method and call are one.
  same(
    'another object address in the message',
    ...both('#<Basket:0x00007f8a1c0b4d28 id: 18>', '#<Basket:0x000074e2b9ff0190 id: 90277>', (basket) =>
      ruby([
        {
          type: 'NoMethodError',
          module: '',
          value: `undefined method \`apply_voucher' for ${basket}`,
          mechanism: rails,
          frames: [
            ...rails71,
            app('app/controllers/vouchers_controller.rb', 'redeem', 18, '    basket.apply_voucher(params[:code])'),
          ],
        },
      ]),
    ),
  ),
  // One unique index, another key; the chain is Postgres's error under Rails's.
  same(
    'unique violation with another key',
    ...both('(handle)=(bike-barn)', '(handle)=(Østerbro Cykler)', (key) =>
      ruby(
        ['PG::UniqueViolation', 'ActiveRecord::RecordNotUnique'].map((type) => ({
          type,
          module: type.split('::')[0] ?? '',
          value: `${type === 'PG::UniqueViolation' ? '' : 'PG::UniqueViolation: '}ERROR:  duplicate key value violates unique constraint "index_shops_on_handle"\nDETAIL:  Key ${key} already exists.\n`,
          mechanism: rails,
          frames: [
            ...rails71,
            app('app/controllers/shops_controller.rb', 'create', 31, '    shop.save!(validate: false)'),
            gem(
              'activerecord-7.1.4/lib/active_record/connection_adapters/postgresql/database_statements.rb',
              'exec_params',
              894,
            ),
          ],
        })),
      ),
    ),
  ),
  // The same two callbacks save each other until the stack is full.
  same(
    'stack level too deep at another depth',
    ...both(9, 25, (depth) =>
      ruby([
        {
          type: 'SystemStackError',
          module: '',
          value: 'stack level too deep',
          mechanism: sidekiq,
          frames: [
            ...worker,
            app('app/jobs/recount_job.rb', 'perform', 6, '    Category.find(id).touch_parents'),
            ...Array.from({ length: depth }, () => [
              app('app/models/category.rb', 'touch_parents', 41, '    parents.each(&:recount!)'),
              gem('activerecord-7.1.4/lib/active_record/relation/delegation.rb', 'each', 88),
              app('app/models/category.rb', 'recount!', 47, '    touch_parents'),
            ]).flat(),
          ],
        },
      ]),
    ),
  ),
  // Two partners are slow; Faraday and Net::HTTP are the way to both.
  different(
    'a read timeout of two clients',
    ...both(
      app('app/clients/geocoder.rb', 'locate', 20, "    connection.get('search', q: address)"),
      app('app/clients/bank_gateway.rb', 'transfer', 63, "    @http.post('transfers', payload)"),
      (frame) =>
        ruby([
          {
            type: 'Net::ReadTimeout',
            module: 'Net',
            value: 'Net::ReadTimeout with #<TCPSocket:(closed)>',
            frames: [gem('net-protocol-0.2.2/lib/net/protocol.rb', 'rbuf_fill', 229)],
          },
          {
            type: 'Faraday::TimeoutError',
            module: 'Faraday',
            value: 'Net::ReadTimeout with #<TCPSocket:(closed)>',
            mechanism: sidekiq,
            frames: [
              ...worker,
              frame,
              gem('faraday-2.12.0/lib/faraday/rack_builder.rb', 'build_response', 152),
              gem('faraday-net_http-3.3.0/lib/faraday/adapter/net_http.rb', 'call', 66),
            ],
          },
        ]),
    ),
  ),
  // Two templates miss two things; only Rails's wrapper and words are shared.
  different(
    'one template error of two templates',
    ...both(
      app(
        'app/views/orders/index.html.erb',
        'block in _app_views_orders_index_html_erb__118822_300',
        17,
        '    <%= order.buyer.name %>',
      ),
      app(
        'app/views/shared/_review.html.erb',
        '_app_views_shared__review_html_erb__99120_460',
        4,
        '<strong><%= review.author.name %></strong>',
      ),
      (template) =>
        ruby([
          { type: 'NoMethodError', module: '', value: "undefined method 'name' for nil", frames: [template] },
          {
            type: 'ActionView::Template::Error',
            module: 'ActionView::Template',
            value: "undefined method 'name' for nil",
            mechanism: rails,
            frames: [
              ...rails80,
              gem('actionview-8.0.0/lib/action_view/template.rb', 'block in render', 284, '3.4.0'),
              template,
            ],
          },
        ]),
    ),
  ),
  // Reached through one before_action of the app; two controllers parse two dates.
  different(
    'an invalid date of two controllers',
    ...both(
      app('app/controllers/holidays_controller.rb', 'index', 12, '    from = Date.parse(params[:from])'),
      app('app/controllers/exports_controller.rb', 'period', 44, "    Date.strptime(params[:period], '%Y-%m')"),
      (controller) =>
        ruby([
          {
            type: 'Date::Error',
            module: 'Date',
            value: 'invalid date',
            mechanism: rails,
            frames: [
              ...rails71,
              app(
                'app/controllers/application_controller.rb',
                'switch_locale',
                19,
                '    I18n.with_locale(locale, &action)',
              ),
              controller,
            ],
          },
        ]),
    ),
  ),
];
