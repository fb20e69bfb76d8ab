import { different, same } from '../pair.ts';
import { android } from '../shapes/java.ts';

export const kotlinAndroidPairs = [
  same(
    'Kotlin lambdas and Compose bodies with other numbers',
    android({
      type: 'IllegalStateException',
      module: 'java.lang',
      value: 'Vertically scrollable component was measured with an infinity maximum height constraints',
      stack: `
        com.acme.app.ui.CartScreenKt$CartScreen$1$2.invoke(CartScreen.kt:81)
        com.acme.app.ui.CartScreenKt$CartScreen$1$2.invoke(CartScreen.kt:79)
        com.acme.app.ui.CartScreenKt.CartScreen(CartScreen.kt:60)
        androidx.compose.runtime.ComposerImpl.doCompose(Composer.kt:3317)`,
    }),
    android({
      type: 'IllegalStateException',
      module: 'java.lang',
      value: 'Vertically scrollable component was measured with an infinity maximum height constraints',
      stack: `
        com.acme.app.ui.CartScreenKt$CartScreen$2$3.invoke(CartScreen.kt:88)
        com.acme.app.ui.CartScreenKt$CartScreen$2$3.invoke(CartScreen.kt:86)
        com.acme.app.ui.CartScreenKt.CartScreen(CartScreen.kt:64)
        androidx.compose.runtime.ComposerImpl.doCompose(Composer.kt:3475)`,
    }),
  ),
  same(
    'a missing file of another user and cache',
    android({
      type: 'FileNotFoundException',
      module: 'java.io',
      value: '/data/user/0/com.acme.app/cache/img_8f3a2b9c1d.jpg: open failed: ENOENT (No such file or directory)',
    }),
    android({
      type: 'FileNotFoundException',
      module: 'java.io',
      value: '/data/user/10/com.acme.app/cache/img_00aa77be21.jpg: open failed: ENOENT (No such file or directory)',
    }),
  ),
  different(
    'two exceptions from one call',
    android({
      type: 'SSLHandshakeException',
      module: 'javax.net.ssl',
      value: 'failed',
      stack: 'com.acme.app.Api.call(Api.kt:9)',
    }),
    android({
      type: 'UnknownHostException',
      module: 'java.net',
      value: 'failed',
      stack: 'com.acme.app.Api.call(Api.kt:9)',
    }),
  ),
  different(
    'two methods of one companion',
    android({
      type: 'IllegalArgumentException',
      module: 'java.lang',
      stack: 'com.acme.app.Money$Companion.parse(Money.kt:9)\ncom.acme.app.Cart.total(Cart.kt:5)',
    }),
    android({
      type: 'IllegalArgumentException',
      module: 'java.lang',
      stack: 'com.acme.app.Money$Companion.ofCents(Money.kt:19)\ncom.acme.app.Cart.total(Cart.kt:5)',
    }),
  ),
  same(
    'a handler with another class of the SDK in between',
    android({
      type: 'IndexOutOfBoundsException',
      module: 'java.lang',
      value: 'Index: 4, Size: 3',
      stack: `
        com.acme.app.RowAdapter.onBindViewHolder(RowAdapter.kt:31)
        androidx.recyclerview.widget.RecyclerView$Adapter.bindViewHolder(RecyclerView.java:7254)`,
    }),
    android({
      type: 'IndexOutOfBoundsException',
      module: 'java.lang',
      value: 'Index 11 out of bounds for length 9',
      stack: `
        com.acme.app.RowAdapter.onBindViewHolder(RowAdapter.kt:34)
        androidx.recyclerview.widget.RecyclerView$Adapter.onBindViewHolder(RecyclerView.java:7065)
        androidx.recyclerview.widget.RecyclerView$Adapter.bindViewHolder(RecyclerView.java:7107)`,
    }),
  ),
];
