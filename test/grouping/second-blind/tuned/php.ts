import { both } from '../event.ts';
import { different, same } from '../../pair.ts';
import { app, vendor, php, unhandled, laravel10, laravel11 } from '../shapes/php.ts';

export const phpPairs = [
  // One closure in one method; PHP 8.4 writes method and line into the closure's name.
  same(
    'a closure as PHP 8.3 and as 8.4 name it',
    ...both(
      'App\\Services\\Rota::App\\Services\\{closure}',
      'App\\Services\\Rota::{closure:App\\Services\\Rota::publish():41}',
      (name) =>
        php([
          {
            type: 'DivisionByZeroError',
            value: 'Division by zero',
            mechanism: unhandled,
            frames: [
              ...laravel11,
              app(
                'app/Services/Rota.php',
                'App\\Services\\Rota::publish',
                41,
                '        $weeks->each(function (Week $week) {',
              ),
              vendor(
                'laravel/framework/src/Illuminate/Collections/Traits/EnumeratesValues.php',
                'Illuminate\\Support\\Collection::each',
                236,
              ),
              app('app/Services/Rota.php', name, 43, '            $share = intdiv($week->hours, $week->staff_count);'),
            ],
          },
        ]),
    ),
  ),
  // The framework was upgraded below one controller; release directory and line moved.
  same(
    'Laravel 10 and 11 below one controller',
    php(
      [
        {
          type: 'ErrorException',
          value: 'Warning: Undefined array key "timezone"',
          mechanism: unhandled,
          frames: [
            ...laravel10,
            app(
              'app/Http/Controllers/ClockController.php',
              'App\\Http\\Controllers\\ClockController::store',
              37,
              "        $zone = $request->validated()['timezone'];",
              '/home/forge/rota/20241001',
            ),
          ],
        },
      ],
      'laravel@3.8.2',
    ),
    php(
      [
        {
          type: 'ErrorException',
          value: 'Warning: Undefined array key "timezone"',
          mechanism: unhandled,
          frames: [
            ...laravel11,
            app(
              'app/Http/Controllers/ClockController.php',
              'App\\Http\\Controllers\\ClockController::store',
              45,
              "        $zone = $request->validated()['timezone'];",
              '/home/forge/rota/20241120',
            ),
          ],
        },
      ],
      'laravel@4.10.1',
    ),
  ),
  // One Blade view; its compiled file is named by a hash of the deploy's path.
  same(
    'a compiled view with another hash',
    ...both(
      { root: '/var/www/releases/311', hash: '4f0f9b7be6a5b8d1d09a5a1a0c97ee5be4d1c7a2' },
      { root: '/var/www/releases/345', hash: '9ac2d80cfb39a1de6f1c0447ab0f7ac3310d2b68' },
      ({ root, hash }) =>
        php([
          {
            type: 'ErrorException',
            value: 'Undefined variable $managers',
            frames: [
              app(
                `storage/framework/views/${hash}.php`,
                'require',
                14,
                '<?php $__currentLoopData = $managers; ?>',
                root,
              ),
            ],
          },
          {
            type: 'Spatie\\LaravelIgnition\\Exceptions\\ViewException',
            value: `Undefined variable $managers (View: ${root}/resources/views/teams/edit.blade.php)`,
            mechanism: unhandled,
            frames: [
              vendor(
                'laravel/framework/src/Illuminate/View/Engines/CompilerEngine.php',
                'Illuminate\\View\\Engines\\CompilerEngine::get',
                72,
                root,
              ),
              vendor(
                'laravel/framework/src/Illuminate/Filesystem/Filesystem.php',
                'Illuminate\\Filesystem\\Filesystem::getRequire',
                123,
                root,
              ),
              app(
                `storage/framework/views/${hash}.php`,
                'require',
                14,
                '<?php $__currentLoopData = $managers; ?>',
                root,
              ),
            ],
          },
        ]),
    ),
  ),
  // The engine appends the path of the caller, which is another in every deploy.
  same(
    'a type error called in another directory',
    ...both(
      { root: '/var/www/releases/311', lineno: 31 },
      { root: '/var/www/releases/345', lineno: 34 },
      ({ root, lineno }) =>
        php([
          {
            type: 'TypeError',
            value: `App\\Support\\Duration::fromSeconds(): Argument #1 ($seconds) must be of type int, null given, called in ${root}/app/Http/Resources/ShiftResource.php on line ${lineno}`,
            mechanism: unhandled,
            frames: [
              app(
                'app/Http/Resources/ShiftResource.php',
                'App\\Http\\Resources\\ShiftResource::toArray',
                lineno,
                "            'length' => Duration::fromSeconds($this->seconds),",
                root,
              ),
              app(
                'app/Support/Duration.php',
                'App\\Support\\Duration::fromSeconds',
                12,
                '    public static function fromSeconds(int $seconds): self',
                root,
              ),
            ],
          },
        ]),
    ),
  ),
  // Two arrays in two places lack a key that happens to have one name.
  different(
    'one undefined key of two functions',
    ...both(
      app(
        'app/Services/Payroll/Slip.php',
        'App\\Services\\Payroll\\Slip::lines',
        77,
        "            $code = $entry['code'];",
      ),
      app(
        'app/Http/Controllers/Webhooks/SlackController.php',
        'App\\Http\\Controllers\\Webhooks\\SlackController::callback',
        23,
        "        $token = $this->exchange($request->query()['code']);",
      ),
      (place) =>
        php([
          {
            type: 'ErrorException',
            value: 'Undefined array key "code"',
            mechanism: unhandled,
            frames: [...laravel11, place],
          },
        ]),
    ),
  ),
  // Guzzle fails alike for two integrations, which are two outages.
  different(
    'one Guzzle error of two integrations',
    ...both(
      {
        frame: app(
          'app/Integrations/Datev/Client.php',
          'App\\Integrations\\Datev\\Client::push',
          61,
          "        $this->guzzle->post('bookings', ['json' => $batch]);",
        ),
        host: 'api.datev.example',
      },
      {
        frame: app(
          'app/Integrations/Weather/Forecast.php',
          'App\\Integrations\\Weather\\Forecast::tomorrow',
          19,
          '        $response = Http::get(self::URL, $query);',
        ),
        host: 'api.sunnyside.example',
      },
      ({ frame: caller, host }) =>
        php([
          {
            type: 'GuzzleHttp\\Exception\\ConnectException',
            value: `cURL error 28: Operation timed out after 10002 milliseconds with 0 bytes received (see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://${host}/v1`,
            mechanism: unhandled,
            frames: [
              caller,
              vendor('guzzlehttp/guzzle/src/Client.php', 'GuzzleHttp\\Client::request', 189),
              vendor(
                'guzzlehttp/guzzle/src/Handler/CurlFactory.php',
                'GuzzleHttp\\Handler\\CurlFactory::createRejection',
                211,
              ),
            ],
          },
        ]),
    ),
  ),
  // Both call a method on null, in two methods of one model.
  different(
    'a call on null in two methods of one class',
    ...both(
      app(
        'app/Models/Employee.php',
        'App\\Models\\Employee::seniority',
        88,
        "        return $this->hired_on->format('Y');",
      ),
      app(
        'app/Models/Employee.php',
        'App\\Models\\Employee::lastClockOut',
        131,
        "        return $this->punches()->latest()->first()->at->format('H:i');",
      ),
      (place) =>
        php([
          {
            type: 'Error',
            value: 'Call to a member function format() on null',
            mechanism: unhandled,
            frames: [...laravel11, place],
          },
        ]),
    ),
  ),
];
