import { different, same } from '../pair.ts';
import { android } from '../shapes/java.ts';

const looper = `
  android.os.Handler.dispatchMessage(Handler.java:99)
  android.os.Looper.loop(Looper.java:288)
  android.app.ActivityThread.main(ActivityThread.java:7842)
  java.lang.reflect.Method.invoke(Native Method)
  com.android.internal.os.ZygoteInit.main(ZygoteInit.java:1003)`;
const npe = {
  type: 'NullPointerException',
  module: 'java.lang',
  value: "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object reference",
};

export const kotlinAndroidPairs = [
  same(
    'another Android version below the app',
    android({ ...npe, stack: `com.acme.app.CartFragment.onClick(CartFragment.kt:54)${looper}` }),
    android({
      ...npe,
      stack: `
        com.acme.app.CartFragment.onClick(CartFragment.kt:54)
        android.os.Handler.dispatchMessage(Handler.java:106)
        android.os.Looper.loopOnce(Looper.java:201)
        android.os.Looper.loop(Looper.java:288)
        android.app.ActivityThread.main(ActivityThread.java:8061)
        java.lang.reflect.Method.invoke(Native Method)
        com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run(RuntimeInit.java:571)
        com.android.internal.os.ZygoteInit.main(ZygoteInit.java:1091)`,
    }),
  ),
  same(
    'D8 lambdas with other numbers',
    android({
      ...npe,
      stack: `
        com.acme.app.CartFragment.onViewCreated$lambda-2(CartFragment.kt:33)
        com.acme.app.CartFragment.$r8$lambda$Zk3nBqYt7cF0o2(Unknown Source)
        com.acme.app.CartFragment$$ExternalSyntheticLambda4.onClick(Unknown Source)
        android.view.View.performClick(View.java:7448)`,
    }),
    android({
      ...npe,
      stack: `
        com.acme.app.CartFragment.onViewCreated$lambda-5(CartFragment.kt:41)
        com.acme.app.CartFragment.$r8$lambda$9QwLm1pXaa8-UE(Unknown Source)
        com.acme.app.CartFragment$$ExternalSyntheticLambda11.onClick(Unknown Source)
        android.view.View.performClick(View.java:7448)`,
    }),
  ),
  same(
    'coroutine bodies with other numbers',
    android({
      type: 'HttpException',
      module: 'retrofit2',
      value: 'HTTP 503 ',
      stack: `
        com.acme.app.CartRepo$load$2.invokeSuspend(CartRepo.kt:28)
        kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
        kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:106)`,
    }),
    android({
      type: 'HttpException',
      module: 'retrofit2',
      value: 'HTTP 503 ',
      stack: `
        com.acme.app.CartRepo$load$3.invokeSuspend(CartRepo.kt:31)
        kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
        kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:104)`,
    }),
  ),
  same(
    'anonymous inner classes renumbered',
    android({ ...npe, stack: `com.acme.app.Player$2.onError(Player.java:90)${looper}` }),
    android({ ...npe, stack: `com.acme.app.Player$3.onError(Player.java:97)${looper}` }),
  ),
  same(
    'a crash while starting names another intent',
    android([
      {
        type: 'ClassCastException',
        module: 'java.lang',
        value: 'a cannot be cast to b',
        stack: 'com.acme.app.Main.onCreate(Main.kt:20)',
      },
      {
        type: 'RuntimeException',
        module: 'java.lang',
        value: 'Unable to start activity ComponentInfo{com.acme.app/com.acme.app.Main}: id=4711',
        stack: 'android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3782)',
      },
    ]),
    android([
      {
        type: 'ClassCastException',
        module: 'java.lang',
        value: 'a cannot be cast to b',
        stack: 'com.acme.app.Main.onCreate(Main.kt:22)',
      },
      {
        type: 'RuntimeException',
        module: 'java.lang',
        value: 'Unable to start activity ComponentInfo{com.acme.app/com.acme.app.Main}: id=815',
        stack: 'android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)',
      },
    ]),
  ),
  same(
    'the thread of the report and the SDK frames differ',
    android(
      { ...npe, stack: `com.acme.app.Sync.run(Sync.kt:12)\njava.lang.Thread.run(Thread.java:920)` },
      { threads: { values: [{ id: 2, name: 'main', main: true }] } },
    ),
    android(
      {
        ...npe,
        stack: `
          com.acme.app.Sync.run(Sync.kt:12)
          io.sentry.android.core.SentryPerformanceProvider.wrap(SentryPerformanceProvider.java:40)
          java.lang.Thread.run(Thread.java:1012)`,
      },
      { threads: { values: [{ id: 9, name: 'pool-3-thread-9' }] } },
    ),
  ),
  different(
    'two fragments with one handler name',
    android({ ...npe, stack: `com.acme.app.CartFragment.onClick(CartFragment.kt:54)${looper}` }),
    android({ ...npe, stack: `com.acme.app.LoginFragment.onClick(LoginFragment.kt:54)${looper}` }),
  ),
  different(
    'coroutines of two functions',
    android({ ...npe, stack: 'com.acme.app.CartRepo$load$2.invokeSuspend(CartRepo.kt:28)' }),
    android({ ...npe, stack: 'com.acme.app.CartRepo$save$2.invokeSuspend(CartRepo.kt:48)' }),
  ),
  different(
    'system frames only: another system call',
    android({
      type: 'DeadSystemException',
      module: 'android.os',
      stack: 'android.app.ActivityManager.getRunningTasks(ActivityManager.java:100)',
    }),
    android({
      type: 'DeadSystemException',
      module: 'android.os',
      stack: 'android.net.ConnectivityManager.getActiveNetworkInfo(ConnectivityManager.java:100)',
    }),
  ),
];
