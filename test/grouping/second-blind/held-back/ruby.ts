import { app, gem, ruby, rails, sidekiq, rails71, rails80, worker } from '../shapes/ruby.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const rubyPairs = [
  // One lookup with another id, under another Rails and Capistrano release.
  same(
    'a record not found with another id, Rails and release',
    ruby([
      {
        type: 'ActiveRecord::RecordNotFound',
        module: 'ActiveRecord',
        value: 'Couldn\'t find Listing with \'id\'=90331 [WHERE "listings"."archived_at" IS NULL]',
        mechanism: rails,
        frames: [
          ...rails71,
          app(
            'app/controllers/offers_controller.rb',
            'set_listing',
            71,
            '    @listing = Listing.active.find(params[:listing_id])',
            '/srv/market/releases/20241003120000',
          ),
          gem(
            'activerecord-7.1.4/lib/active_record/relation/finder_methods.rb',
            'raise_record_not_found_exception!',
            428,
          ),
        ],
      },
    ]),
    ruby([
      {
        type: 'ActiveRecord::RecordNotFound',
        module: 'ActiveRecord',
        value: 'Couldn\'t find Listing with \'id\'=4 [WHERE "listings"."archived_at" IS NULL]',
        mechanism: rails,
        frames: [
          ...rails80,
          app(
            'app/controllers/offers_controller.rb',
            'set_listing',
            78,
            '    @listing = Listing.active.find(params[:listing_id])',
            '/srv/market/releases/20241118091533',
          ),
          gem('activerecord-8.0.0/lib/active_record/core.rb', 'find', 260, '3.4.0'),
          gem(
            'activerecord-8.0.0/lib/active_record/relation/finder_methods.rb',
            'raise_record_not_found_exception!',
            431,
            '3.4.0',
          ),
        ],
      },
    ]),
  ),
  // One job, once in a worker of Sidekiq and once performed inline by a console task.
  same(
    'a job in a worker and performed inline',
    ruby([
      {
        type: 'FloatDomainError',
        module: '',
        value: 'Infinity',
        mechanism: sidekiq,
        frames: [
          ...worker,
          app('app/jobs/rank_sellers_job.rb', 'perform', 12, '    Seller.find_each { |seller| rank(seller) }'),
          gem('activerecord-7.1.4/lib/active_record/relation/batches.rb', 'block in find_each', 85),
          app('app/jobs/rank_sellers_job.rb', 'block in perform', 12, '    Seller.find_each { |seller| rank(seller) }'),
          app(
            'app/jobs/rank_sellers_job.rb',
            'rank',
            19,
            '    seller.update!(rank: (seller.sales / seller.visits.to_f).round)',
          ),
        ],
      },
    ]),
    ruby([
      {
        type: 'FloatDomainError',
        module: '',
        value: 'Infinity',
        mechanism: { type: 'rake', handled: false },
        frames: [
          gem('rake-13.2.1/lib/rake/task.rb', 'block in execute', 281),
          gem('sidekiq-7.3.5/lib/sidekiq/job.rb', 'perform_inline', 221),
          app('app/jobs/rank_sellers_job.rb', 'perform', 12, '    Seller.find_each { |seller| rank(seller) }'),
          gem('activerecord-7.1.4/lib/active_record/relation/batches.rb', 'block in find_each', 85),
          app('app/jobs/rank_sellers_job.rb', 'block in perform', 12, '    Seller.find_each { |seller| rank(seller) }'),
          app(
            'app/jobs/rank_sellers_job.rb',
            'rank',
            19,
            '    seller.update!(rank: (seller.sales / seller.visits.to_f).round)',
          ),
        ],
      },
    ]),
  ),
  // One template; Rails hashes a name for its compiled method in every process.
  same(
    'a compiled template with another method name',
    ...both(
      '_app_views_receipts_show_html_erb__3218840371270044021_41280',
      '_app_views_receipts_show_html_erb___884120337111902_93100',
      (name) =>
        ruby([
          {
            type: 'NoMethodError',
            module: '',
            value: "undefined method `strftime' for nil",
            frames: [
              app(
                'app/views/receipts/show.html.erb',
                name,
                9,
                '  <td><%= @receipt.paid_at.strftime("%d.%m.%Y") %></td>',
              ),
            ],
          },
          {
            type: 'ActionView::Template::Error',
            module: 'ActionView::Template',
            value: "undefined method `strftime' for nil",
            mechanism: rails,
            frames: [
              ...rails71,
              gem('actionview-7.1.4/lib/action_view/template.rb', 'block in render', 264),
              app(
                'app/views/receipts/show.html.erb',
                name,
                9,
                '  <td><%= @receipt.paid_at.strftime("%d.%m.%Y") %></td>',
              ),
            ],
          },
        ]),
    ),
  ),
  // Two services create two users without an e-mail address; `save!` words both alike.
  different(
    'one validation message of two services',
    ...both(
      app(
        'app/services/signup/from_google.rb',
        'create_user',
        28,
        '      User.create!(name: profile.name, email: profile.email)',
      ),
      app('app/services/imports/csv_members.rb', 'import_row', 52, '        User.create!(row.slice(:name, :email))'),
      (service) =>
        ruby([
          {
            type: 'ActiveRecord::RecordInvalid',
            module: 'ActiveRecord',
            value: "Validation failed: Email can't be blank",
            mechanism: rails,
            frames: [
              service,
              gem('activerecord-7.1.4/lib/active_record/persistence.rb', 'create!', 55),
              gem('activerecord-7.1.4/lib/active_record/validations.rb', 'raise_validation_error', 84),
            ],
          },
        ]),
    ),
  ),
  // One method, two defects: a key nobody sent, and text added to a number.
  different(
    'two exception types of one method',
    ...both(
      { type: 'KeyError', value: 'key not found: :weight', line: '    grams = attributes.fetch(:weight)', lineno: 15 },
      {
        type: 'TypeError',
        value: "String can't be coerced into Integer",
        line: '    base + attributes[:surcharge]',
        lineno: 21,
      },
      ({ type, value, line, lineno }) =>
        ruby([
          {
            type,
            module: '',
            value,
            mechanism: rails,
            frames: [...rails71, app('app/models/shipping_rate.rb', 'price_for', lineno, line)],
          },
        ]),
    ),
  ),
  // The app's retry helper runs every block; two blocks of two jobs fail in it.
  different(
    'one retry helper of the app, two blocks',
    ...both(
      [
        app('app/jobs/sync_stock_job.rb', 'perform', 8, '    with_retries { pull_stock }'),
        app('lib/retries.rb', 'with_retries', 11, '    yield'),
        app('app/jobs/sync_stock_job.rb', 'block in perform', 8, '    with_retries { pull_stock }'),
      ],
      [
        app('app/jobs/publish_feed_job.rb', 'perform', 14, '    with_retries(times: 5) { upload(feed) }'),
        app('lib/retries.rb', 'with_retries', 11, '    yield'),
        app('app/jobs/publish_feed_job.rb', 'block in perform', 14, '    with_retries(times: 5) { upload(feed) }'),
      ],
      (frames) =>
        ruby([
          {
            type: 'ArgumentError',
            module: '',
            value: 'wrong number of arguments (given 1, expected 2)',
            mechanism: sidekiq,
            frames: [...worker, ...frames],
          },
        ]),
    ),
  ),
];
