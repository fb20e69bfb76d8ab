import { different, same } from '../pair.ts';
import { ruby } from '../shapes/ruby.ts';

const job = `
  /app/app/jobs/import_job.rb:14 in block in perform | row.fetch("sku")
  /usr/local/lib/ruby/3.1.0/csv.rb:1230 in each
  /app/app/jobs/import_job.rb:12 in perform | CSV.foreach(path) do |row|
  /usr/local/bundle/gems/sidekiq-6.5.8/lib/sidekiq/processor.rb:202 in execute_job`;

export const rubyPairs = [
  same(
    'another Ruby, Sidekiq and standard library',
    ruby({ type: 'KeyError', value: 'key not found: "sku"', stack: job }),
    ruby({
      type: 'KeyError',
      value: 'key not found: "sku"',
      stack: `
        /app/app/jobs/import_job.rb:15 in block in ImportJob#perform | row.fetch("sku")
        /usr/local/bundle/gems/csv-3.3.0/lib/csv.rb:2007 in CSV#each
        /app/app/jobs/import_job.rb:13 in ImportJob#perform | CSV.foreach(path) do |row|
        /usr/local/bundle/gems/sidekiq-7.2.4/lib/sidekiq/processor.rb:220 in Sidekiq::Processor#execute_job`,
    }),
  ),
  same(
    'a generated method with a number and an eval place',
    ruby({
      type: 'ArgumentError',
      value: 'wrong number of arguments (given 1, expected 0)',
      stack: `
        /app/app/models/price.rb:5 in convert
        /app/app/models/item.rb:9 in __tempfile_4711
        /app/app/models/item.rb:22 in total`,
    }),
    ruby({
      type: 'ArgumentError',
      value: 'wrong number of arguments (given 2, expected 0)',
      stack: `
        /app/app/models/price.rb:5 in convert
        /app/app/models/item.rb:9 in __tempfile_815
        /app/app/models/item.rb:22 in total`,
    }),
  ),
  same(
    'no stack: redis at another host',
    ruby({
      type: 'Redis::CannotConnectError',
      value: 'Error connecting to Redis on redis-7c9.cache.internal:6379 (Errno::ECONNREFUSED)',
    }),
    ruby({
      type: 'Redis::CannotConnectError',
      value: 'Error connecting to Redis on redis-a41.cache.internal:6380 (Errno::ECONNREFUSED)',
    }),
  ),
  different(
    'two jobs with one method name',
    ruby({ type: 'KeyError', value: 'key not found: "sku"', stack: job }),
    ruby({ type: 'KeyError', value: 'key not found: "sku"', stack: job.replaceAll('import_job', 'export_job') }),
  ),
  different(
    'another cause',
    ruby([
      { type: 'Net::ReadTimeout', value: '', stack: job },
      { type: 'ImportFailed', value: 'stopped', stack: job },
    ]),
    ruby([
      { type: 'Zlib::GzipFile::Error', value: '', stack: job },
      { type: 'ImportFailed', value: 'stopped', stack: job },
    ]),
  ),
];
