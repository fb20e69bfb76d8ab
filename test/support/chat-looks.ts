/** Draws payloads of chats roughly as the services show them, for the pictures of docs/alerts.md. */
import { htmlText } from '../../src/alerts/event-text.ts';
import type { Json } from './fake-receivers/receiver.ts';

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const BASE = `* { box-sizing: border-box; } body { margin: 0; padding: 20px; width: 640px; font: 15px/1.45 'Lato', 'Segoe UI', 'Open Sans', Helvetica, Arial, sans-serif; }
.post { display: flex; gap: 10px; } .face { width: 36px; height: 36px; border-radius: 6px; background: #2f5fe3; color: #fff; font-weight: 700; display: flex; align-items: center; justify-content: center; flex: none; }
.main { min-width: 0; flex: 1; } .who { font-weight: 700; } .app { font-size: 11px; font-weight: 600; padding: 1px 4px; border-radius: 3px; margin: 0 6px; } .when { font-size: 12px; opacity: .65; font-weight: 400; }
code { font-family: 'DejaVu Sans Mono', Consolas, Menlo, monospace; font-size: 12.5px; overflow-wrap: anywhere; }`;

function page(css: string, app: string, content: string, shape = ''): string {
  return `<!doctype html><meta charset="utf-8"><style>${BASE}\n${css}</style><body><div class="post"><div class="face" style="${shape}">e</div><div class="main"><div><span class="who">errgate</span><span class="app">${app}</span><span class="when">04:19</span></div>${content}</div></div>`;
}

/** Renders the Markdown that our payloads use: bold, links and code spans. */
function markdown(source: string): string {
  return source
    .split(/(`[^`\n]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? `<code>${htmlText(part.slice(1, -1))}</code>`
        : htmlText(part)
            .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '<a href="$2">$1</a>')
            .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
            .replace(/\\([\\`*_~|()#[\]])/g, '$1'),
    )
    .join('')
    .replaceAll('\n', '<br>');
}

function slackElement(element: Json): string {
  const style = (element['style'] ?? {}) as Json;
  const shown = htmlText(text(element['text'])).replaceAll('\n', '<br>');
  const styled = style['code'] === true ? `<code>${shown}</code>` : style['bold'] === true ? `<b>${shown}</b>` : shown;
  return element['type'] === 'link' ? `<a href="${htmlText(text(element['url']))}">${styled}</a>` : styled;
}

export function slackLook(payload: Json): string {
  const blocks = list(payload['blocks']).map((block) =>
    block['type'] === 'header'
      ? `<h3>${htmlText(text((block['text'] as Json)['text']))}</h3>`
      : list(block['elements'])
          .map((section) => list(section['elements']).map(slackElement).join(''))
          .join(''),
  );
  const css = `body { background: #fff; color: #1d1c1d; } a { color: #1264a3; text-decoration: none; } .app { background: #e8e8e8; } h3 { font-size: 18px; margin: 4px 0 6px; }
code { color: #e01e5a; background: #f6f6f6; border: 1px solid #ddd; border-radius: 3px; padding: 1px 3px; }`;
  return page(css, 'APP', blocks.join(''));
}

export function mattermostLook(payload: Json): string {
  const attachments = list(payload['attachments']).map(
    (one) =>
      `<div class="attachment" style="border-left-color:${text(one['color'])}"><a class="title" href="#">${htmlText(text(one['title']))}</a><div>${markdown(text(one['text']))}</div><div class="footer">${htmlText(text(one['footer']))}</div></div>`,
  );
  const css = `body { background: #fff; color: #3f4350; } a { color: #166de0; text-decoration: none; } .app { background: #e8e9ed; } .face { border-radius: 50%; }
.attachment { border: 1px solid #dddfe4; border-left: 4px solid; border-radius: 4px; padding: 10px 14px; margin-top: 6px; } .title { font-weight: 600; font-size: 16px; } .footer { font-size: 12px; opacity: .65; margin-top: 8px; }
code { background: #f0f1f3; border-radius: 3px; padding: 1px 4px; }`;
  return page(css, 'BOT', `<div>${markdown(text(payload['text']))}</div>${attachments.join('')}`);
}

export function discordLook(payload: Json): string {
  const embeds = list(payload['embeds']).map((embed) => {
    const colour = Number(embed['color']).toString(16).padStart(6, '0');
    return `<div class="embed" style="border-left-color:#${colour}"><a class="title" href="#">${htmlText(text(embed['title']))}</a><div>${markdown(text(embed['description']))}</div><div class="footer">24/11/2026 04:19</div></div>`;
  });
  const css = `body { background: #313338; color: #dbdee1; } a { color: #00a8fc; text-decoration: none; } .app { background: #5865f2; color: #fff; } .who { color: #fff; } .face { border-radius: 50%; }
.embed { background: #2b2d31; border-left: 4px solid; border-radius: 4px; padding: 10px 14px 12px; margin-top: 6px; font-size: 14px; } .title { font-weight: 600; font-size: 16px; } .footer { font-size: 12px; opacity: .8; margin-top: 8px; }
code { background: #1e1f22; border-radius: 3px; padding: 1px 4px; }`;
  return page(css, 'APP', `<div>${markdown(text(payload['content']))}</div>${embeds.join('')}`);
}

export function teamsLook(payload: Json): string {
  const card = list(payload['attachments'])[0]!['content'] as Json;
  const blocks = list(card['body']).map((block) => {
    const runs = list(block['inlines']).map((run) => {
      const style = [
        run['weight'] === 'Bolder' ? 'font-weight:600' : '',
        run['size'] === 'Large' ? 'font-size:19px' : '',
        run['isSubtle'] === true ? 'color:#616161;font-size:13px' : '',
        run['fontType'] === 'Monospace' ? "font-family:'DejaVu Sans Mono',Consolas,monospace;font-size:13px" : '',
        run['selectAction'] === undefined ? '' : 'color:#5b5fc7',
      ].join(';');
      return `<span style="${style}">${htmlText(text(run['text']))}</span>`;
    });
    const margin = block['spacing'] === 'None' ? 0 : 8;
    const rule = block['separator'] === true ? 'border-top:1px solid #e0e0e0;padding-top:8px;' : '';
    return `<div style="${rule}margin-top:${margin}px;overflow-wrap:anywhere">${runs.join('')}</div>`;
  });
  const actions = list(card['actions']).map(
    (action) => `<span class="button">${htmlText(text(action['title']))}</span>`,
  );
  const css = `body { background: #f5f5f5; color: #242424; } .app { display: none; } .when { margin-left: 8px; } .face { border-radius: 50%; background: #5b5fc7; }
.card { background: #fff; border: 1px solid #e0e0e0; border-radius: 4px; padding: 12px 16px 16px; margin-top: 4px; } .button { display: inline-block; border: 1px solid #d1d1d1; border-radius: 4px; padding: 4px 12px; margin-top: 14px; font-weight: 600; font-size: 13px; }`;
  return page(css, '', `<div class="card">${blocks.join('')}${actions.join('')}</div>`);
}
