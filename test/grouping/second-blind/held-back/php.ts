import { app, vendor, php, unhandled, laravel10, laravel11 } from '../shapes/php.ts';
import { both, failing } from '../event.ts';
import { different, same } from '../../pair.ts';

export const phpPairs = [
  // An anonymous class carries the path of its file, hence of the deploy, in its name.
  same(
    'an anonymous class in another deploy directory',
    ...both(
      { root: '/srv/rota/311', suffix: ':33$1e0' },
      { root: '/srv/rota/345', suffix: ':38$0' },
      ({ root, suffix }) => {
        const command = `${root}/src/Command/CloseShifts.php`;
        const at = { filename: command, abs_path: command, in_app: true };
        return failing(
          'php',
          ['sentry.php', '4.10.0'],
          [
            {
              type: 'LogicException',
              value: 'Shift is already closed',
              mechanism: unhandled,
              frames: [
                {
                  ...at,
                  function: 'Rota\\Command\\CloseShifts::run',
                  lineno: 28,
                  context_line: '        $visitor->visit($shift);',
                },
                {
                  ...at,
                  function: `class@anonymous\u0000${command}::visit`,
                  raw_function: `class@anonymous\u0000${command}${suffix}::visit`,
                  lineno: 36,
                  context_line: "                throw new LogicException('Shift is already closed');",
                },
              ],
            },
          ],
        );
      },
    ),
  ),
  // One query asks for a missing column; the number of placeholders and the bound values differ.
  same(
    'a query with another number of values',
    ...both('18, 22, 45', '7', (ids) =>
      php([
        {
          type: 'PDOException',
          value: "SQLSTATE[42S22]: Column not found: 1054 Unknown column 'shifts.paid_break' in 'field list'",
          frames: [
            vendor(
              'laravel/framework/src/Illuminate/Database/Connection.php',
              'Illuminate\\Database\\Connection::Illuminate\\Database\\{closure}',
              416,
            ),
          ],
        },
        {
          type: 'Illuminate\\Database\\QueryException',
          value: `SQLSTATE[42S22]: Column not found: 1054 Unknown column 'shifts.paid_break' in 'field list' (Connection: mysql, SQL: select \`shifts\`.\`paid_break\` from \`shifts\` where \`shifts\`.\`user_id\` in (${ids}))`,
          mechanism: unhandled,
          frames: [
            ...laravel11,
            app(
              'app/Models/Timesheet.php',
              'App\\Models\\Timesheet::breaks',
              66,
              "            ->whereIn('user_id', $ids)->pluck('paid_break');",
            ),
            vendor(
              'laravel/framework/src/Illuminate/Database/Connection.php',
              'Illuminate\\Database\\Connection::runQueryCallback',
              825,
            ),
          ],
        },
      ]),
    ),
  ),
  // One report eats all memory; the last allocation is of another size, the limit was raised.
  same(
    'memory exhausted at another size',
    ...both(
      '134217728 bytes exhausted (tried to allocate 20480 bytes)',
      '268435456 bytes exhausted (tried to allocate 4198400 bytes)',
      (sizes) =>
        php(
          [
            {
              type: 'Symfony\\Component\\ErrorHandler\\Error\\OutOfMemoryError',
              value: `Allowed memory size of ${sizes}`,
              mechanism: unhandled,
              frames: [
                app(
                  'src/Report/YearlyExport.php',
                  'App\\Report\\YearlyExport::rows',
                  58,
                  '            $rows[] = $this->normalize($entry);',
                ),
              ],
            },
          ],
          'symfony@5.1.0',
        ),
    ),
  ),
  // Doctrine's proxy stands before the entity or does not; the entity's method fails.
  same(
    'with and without a Doctrine proxy',
    ...both(
      [
        app(
          'var/cache/prod/doctrine/orm/Proxies/__CG__AppEntityContract.php',
          'Proxies\\__CG__\\App\\Entity\\Contract::getNoticePeriod',
          206,
        ),
      ],
      [],
      (proxy) =>
        php(
          [
            {
              type: 'Error',
              value: 'Typed property App\\Entity\\Contract::$startsAt must not be accessed before initialization',
              mechanism: unhandled,
              frames: [
                vendor(
                  'symfony/http-kernel/HttpKernel.php',
                  'Symfony\\Component\\HttpKernel\\HttpKernel::handleRaw',
                  181,
                ),
                app(
                  'src/Controller/ContractController.php',
                  'App\\Controller\\ContractController::show',
                  49,
                  "            'notice' => $contract->getNoticePeriod(),",
                ),
                ...proxy,
                app(
                  'src/Entity/Contract.php',
                  'App\\Entity\\Contract::getNoticePeriod',
                  118,
                  '        return $this->startsAt->diff($this->noticeGivenAt);',
                ),
              ],
            },
          ],
          'symfony@5.1.0',
        ),
    ),
  ),
  // Each controller refuses for reasons of its own; `abort()` is Laravel's.
  different(
    'abort() of two controllers',
    ...both(
      app(
        'app/Http/Controllers/PayslipController.php',
        'App\\Http\\Controllers\\PayslipController::download',
        52,
        '        abort_unless($file->exists(), 500);',
      ),
      app(
        'app/Http/Controllers/SwapController.php',
        'App\\Http\\Controllers\\SwapController::accept',
        90,
        '        abort_if($swap->shift === null, 500);',
      ),
      (controller) =>
        php([
          {
            type: 'Symfony\\Component\\HttpKernel\\Exception\\HttpException',
            value: '',
            mechanism: unhandled,
            frames: [
              ...laravel10,
              controller,
              vendor('laravel/framework/src/Illuminate/Foundation/helpers.php', 'abort', 48),
              vendor(
                'laravel/framework/src/Illuminate/Foundation/Application.php',
                'Illuminate\\Foundation\\Application::abort',
                1228,
              ),
            ],
          },
        ]),
    ),
  ),
  // Messenger wraps each handler's failure in the same words; the handlers' faults are two.
  different(
    'one Messenger wrapper around two handlers',
    ...both(
      {
        type: 'InvalidArgumentException',
        value: 'IBAN has a wrong checksum',
        handler: app(
          'src/MessageHandler/PayOutHandler.php',
          'App\\MessageHandler\\PayOutHandler::__invoke',
          33,
          '        $iban = Iban::fromString($message->iban);',
        ),
      },
      {
        type: 'Twig\\Error\\RuntimeError',
        value: 'Variable "week" does not exist in "mail/rota.html.twig" at line 8.',
        handler: app(
          'src/MessageHandler/MailRotaHandler.php',
          'App\\MessageHandler\\MailRotaHandler::__invoke',
          27,
          '        $html = $this->twig->render($template, $variables);',
        ),
      },
      ({ type, value, handler }) =>
        php(
          [
            {
              type,
              value,
              frames: [
                vendor(
                  'symfony/messenger/Middleware/HandleMessageMiddleware.php',
                  'Symfony\\Component\\Messenger\\Middleware\\HandleMessageMiddleware::callHandler',
                  152,
                ),
                handler,
              ],
            },
            {
              type: 'Symfony\\Component\\Messenger\\Exception\\HandlerFailedException',
              value: 'Handling of message failed',
              mechanism: unhandled,
              frames: [
                vendor('symfony/messenger/Worker.php', 'Symfony\\Component\\Messenger\\Worker::run', 113),
                vendor(
                  'symfony/messenger/Middleware/HandleMessageMiddleware.php',
                  'Symfony\\Component\\Messenger\\Middleware\\HandleMessageMiddleware::handle',
                  129,
                ),
              ],
            },
          ],
          'symfony@5.0.1',
        ),
    ),
  ),
];
