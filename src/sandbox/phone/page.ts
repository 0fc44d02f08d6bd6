import { isObject } from '../../base/json.ts'
import { numberOf, userIdOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { bubble, escaped } from './bubble.ts'

/** Messages of a thread that are shown. */
const shownMax = 100

/** Nothing of a message is run; pictures and sounds come from where it says. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src * data:; media-src *; frame-src 'self'; " +
    "form-action 'self'; base-uri 'none'",
}

/** The newest message is in sight without a script: what grows upwards begins at its end. */
const style = `:root{color-scheme:light dark;
--back:#efeae2;--text:#111;--in:#fff;--own:#d9fdd3;--soft:#555;--edge:#ddd;
--link:#02679a}
@media(prefers-color-scheme:dark){:root{
--back:#0b141a;--text:#e9edef;--in:#202c33;--own:#005c4b;--soft:#b5c0c7;--edge:#3b4a54;--link:#53bdeb}}
body{font:16px/1.4 system-ui;margin:0 auto;max-width:30rem;height:100dvh;display:flex;flex-direction:column;
background:var(--back);color:var(--text)}
h1{font-size:1.2rem;margin:.5rem}nav{padding:0 .5rem .3rem;max-height:4.5rem;overflow:auto}a{color:var(--link)}
iframe{border:0;flex:1}main{flex:1;overflow:auto;display:flex;flex-direction:column-reverse;padding:0 .5rem}
form{display:flex;gap:.5rem;padding:.5rem}button,input{font:inherit}input{flex:1;min-width:0;padding:.4rem;
background:var(--in);color:inherit;border:1px solid var(--soft);border-radius:.4rem}
input::placeholder{color:var(--soft)}
article{background:var(--in);border-radius:.6rem;padding:.5rem .7rem;margin:.4rem 3rem .4rem 0}article a{color:inherit}
article.own{background:var(--own);margin:.4rem 0 .4rem 3rem}b{display:block}
p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}img,video{max-width:100%;border-radius:.4rem;display:block}
audio{max-width:100%}q,small,time{color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}
i{display:block;text-align:center;color:var(--link);border-top:1px solid var(--edge);padding:.3rem;font-style:normal}
.card{border:1px solid var(--edge);border-radius:.4rem;padding:.4rem;margin:.3rem 0}`

const html = (title: string, rest: string, refresh = '') =>
  new Response(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
      // Else the browser asks for an icon, which the stand-in answers as the platform: 401.
      '<link rel="icon" href="data:,">' +
      `${refresh}<title>${escaped(title)}</title><style>${style}</style></head><body>${rest}</body></html>`,
    { headers },
  )

/** A number, a user id or a group's id: nothing that a page would take for more than text. */
const isUser = (text: string) => /^[\w.=-]{1,256}$/.test(text)
const isNumber = (user: string) => /^\d+$/.test(user)
const named = (user: string) => (isNumber(user) ? `+${user}` : user)
const userOf = (query: URLSearchParams): string | null => [query.get('user') ?? ''].find(isUser) ?? null

/** The phone of a user: whom messages went to, one of them open, and a line to answer. */
export function phonePage(state: SandboxState, query: URLSearchParams): Response {
  const entries = state.journal.find().flatMap(({ kind, waId }) => (kind === 'send' && waId ? [numberOf(waId)] : []))
  const users = [...new Set([...entries, ...state.written.toArray().map(({ waId }) => waId)])].filter(isUser)
  const user = userOf(query) ?? users.at(-1) ?? null
  const links = users.slice(-shownMax).map(each => `<a href="?user=${escaped(each)}">${escaped(named(each))}</a>`)
  if (user === null) return html('Phone', '<h1>Phone</h1><p>No message has come yet. Send one and look again.</p>')
  return html(
    `Phone of ${named(user)}`,
    `<h1>${named(user)}</h1><nav>${links.join(' · ')}</nav>` +
      `<iframe src="/sandbox/phone/thread?user=${user}" title="Messages"></iframe>` +
      `<form method="post" action="/sandbox/phone"><input type="hidden" name="user" value="${user}">` +
      '<input name="text" aria-label="Message" placeholder="Message" required maxlength="4096">' +
      '<button>Send</button></form>',
  )
}

/** The messages of a user with every line, the oldest first; it looks again by itself. */
export function phoneThread(state: SandboxState, query: URLSearchParams): Response {
  const user = userOf(query)
  // What went to the user id of somebody with a number is on the same phone.
  const addresses = user === null || !isNumber(user) ? [user] : [user, userIdOf(user)]
  const sent = addresses
    .flatMap(waId => state.journal.find({ ...(waId !== null && { waId }), limit: shownMax }))
    .filter(({ kind, wamid }) => kind === 'send' && wamid !== undefined)
    .map(({ at, body }) => ({ at, own: false, shown: isObject(body) ? bubble(body, state.templates) : '' }))
  const written = state.written
    .toArray()
    .filter(({ waId }) => waId === user)
    .map(({ at, content }) => ({ at, own: true, shown: bubble(content, state.templates) }))
  const all = [...sent, ...written].sort((one, other) => one.at - other.at).slice(-shownMax)
  const articles = all.map(({ at, own, shown }) => {
    const time = new Date(at).toISOString()
    const clock = `<time datetime="${time}">${time.slice(11, 19)}</time>`
    return `<article${own ? ' class="own"' : ''}>${shown}${clock}</article>`
  })
  return html('Messages', `<main><div>${articles.join('')}</div></main>`, '<meta http-equiv="refresh" content="2">')
}
