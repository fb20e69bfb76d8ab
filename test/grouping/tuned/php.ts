import { different, same } from '../pair.ts';
import { php } from '../shapes/php.ts';

const controller = String.raw`
  App\Cart\CartService::add /var/www/html/src/Cart/CartService.php:42
  App\Http\CartController::store /var/www/html/src/Http/CartController.php:20
  Illuminate\Routing\Controller::callAction /var/www/html/vendor/laravel/framework/src/Illuminate/Routing/Controller.php:54
  - /var/www/html/public/index.php:51`;
const logic = { type: 'LogicException', value: 'cart is closed', stack: controller };

export const phpPairs = [
  same('lines moved', php(logic), php({ ...logic, stack: controller.replace(':42', ':61').replace(':20', ':22') })),
  same(
    'deployed to another release folder',
    php({ ...logic, stack: controller.replaceAll('/var/www/html', '/var/www/releases/20260301120000') }),
    php({ ...logic, stack: controller.replaceAll('/var/www/html', '/var/www/releases/20260415093000') }),
  ),
  same(
    'closures: before and after PHP 8.4',
    php({
      type: 'TypeError',
      value:
        'App\\Price::of(): Argument #1 ($cents) must be of type int, null given, called in /var/www/html/src/Import.php on line 12',
      stack: String.raw`
        App\Import::App\{closure} /var/www/html/src/Import.php:12
        array_map [internal]:0
        App\Import::run /var/www/html/src/Import.php:10`,
    }),
    php({
      type: 'TypeError',
      value:
        'App\\Price::of(): Argument #1 ($cents) must be of type int, null given, called in /var/www/html/src/Import.php on line 14',
      stack: String.raw`
        App\Import::{closure:App\Import::run():13} /var/www/html/src/Import.php:14
        array_map [internal]:0
        App\Import::run /var/www/html/src/Import.php:13`,
    }),
  ),
  same(
    'an anonymous class with another path and address',
    php({
      type: 'RuntimeException',
      value: 'stopped',
      stack: `
        class@anonymous\u0000/var/www/html/src/Job.php:9$0::handle /var/www/html/src/Job.php:11
        App\\Worker::run /var/www/html/src/Worker.php:7`,
    }),
    php({
      type: 'RuntimeException',
      value: 'stopped',
      stack: `
        class@anonymous\u0000/var/www/html/src/Job.php:12$1f::handle /var/www/html/src/Job.php:14
        App\\Worker::run /var/www/html/src/Worker.php:7`,
    }),
  ),
  same(
    'the handler of the SDK in the stack of an error',
    php({
      type: 'ErrorException',
      value: 'Warning: Undefined array key "price"',
      stack: String.raw`
        App\Cart\Row::price /var/www/html/src/Cart/Row.php:9
        App\Cart\CartService::total /var/www/html/src/Cart/CartService.php:77`,
    }),
    php({
      type: 'ErrorException',
      value: 'Warning: Undefined array key "amount"',
      stack: String.raw`
        Sentry\ErrorHandler::handleError /var/www/html/vendor/sentry/sentry/src/ErrorHandler.php:310
        App\Cart\Row::price /var/www/html/src/Cart/Row.php:9
        App\Cart\CartService::total /var/www/html/src/Cart/CartService.php:77`,
    }),
  ),
  same(
    'no stack: an SQL error with other values',
    php({
      type: 'Illuminate\\Database\\QueryException',
      value:
        "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry 'ann@acme.example' for key 'users_email_unique'",
    }),
    php({
      type: 'Illuminate\\Database\\QueryException',
      value:
        "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry 'bob@acme.example' for key 'users_email_unique'",
    }),
  ),
  same(
    'another vendor version between',
    php(logic),
    php({
      ...logic,
      stack: String.raw`
        App\Cart\CartService::add /var/www/html/src/Cart/CartService.php:42
        App\Http\CartController::store /var/www/html/src/Http/CartController.php:20
        Illuminate\Routing\Controller::callAction /var/www/html/vendor/laravel/framework/src/Illuminate/Routing/Controller.php:43
        Illuminate\Routing\ControllerDispatcher::dispatch /var/www/html/vendor/laravel/framework/src/Illuminate/Routing/ControllerDispatcher.php:46
        - /var/www/html/public/index.php:17`,
    }),
  ),
  different(
    'one method name of two classes',
    php(logic),
    php({ ...logic, stack: controller.replaceAll('CartService', 'WishService') }),
  ),
  different(
    'index.php of two applications, top-level code',
    php({
      type: 'Error',
      value: 'Class "App\\X" not found',
      stack: '- /var/www/html/shop/index.php:3 | $x = new App\\X();',
    }),
    php({
      type: 'Error',
      value: 'Class "App\\X" not found',
      stack: '- /var/www/html/admin/index.php:9 | run(new App\\X());',
    }),
  ),
  different(
    'another previous exception',
    php([
      { type: 'PDOException', value: 'gone away', stack: controller },
      { type: 'DomainException', value: 'cannot save', stack: controller },
    ]),
    php([
      { type: 'JsonException', value: 'Syntax error', stack: controller },
      { type: 'DomainException', value: 'cannot save', stack: controller },
    ]),
  ),
];
