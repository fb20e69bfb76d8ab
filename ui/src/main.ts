import { createApp } from 'vue';
import App from './app/App.vue';
import { recoverFocus } from './app/recover-focus.ts';
import { router } from './app/router.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/code.css';
import './styles/forms.css';

recoverFocus();
createApp(App).use(router).mount('#app');
