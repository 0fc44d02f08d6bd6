import { isObject } from '../../base/json.ts'
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

const style = `body{font:16px/1.4 system-ui;margin:0 auto;max-width:30rem;padding:.5rem;background:#efeae2;color:#111}
iframe{border:0;width:100%;height:70vh}form{display:flex;gap:.5rem;margin:.3rem 0}button,input{font:inherit}
input{flex:1;padding:.4rem}article{background:#fff;border-radius:.6rem;padding:.5rem .7rem;margin:.4rem 3rem .4rem 0}
article.own{background:#d9fdd3;margin:.4rem 0 .4rem 3rem}b{display:block}
p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}img,video{max-width:100%;border-radius:.4rem;display:block}
q,small,time{color:#555;font-size:.8rem;overflow-wrap:anywhere}
i{display:block;text-align:center;color:#027eb5;border-top:1px solid #ddd;padding:.3rem;font-style:normal}
.card{border:1px solid #ddd;border-radius:.4rem;padding:.4rem;margin:.3rem 0}`

const html = (title: string, rest: string, refresh = '') =>
  new Response(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
      `${refresh}<title>${escaped(title)}</title><style>${style}</style></head><body>${rest}</body></html>`,
    { headers },
  )

/** A number, a user id or a group's id: nothing that a page would take for more than text. */
const isUser = (text: string) => /^[\w.=-]{1,256}$/.test(text)
const userOf = (query: URLSearchParams): string | null => [query.get('user') ?? ''].find(isUser) ?? null

/** The phone of a user: whom messages went to, one of them open, and a line to answer. */
export function phonePage(state: SandboxState, query: URLSearchParams): Response {
  const entries = state.journal.find().flatMap(({ kind, waId }) => (kind === 'send' && waId ? [waId] : []))
  const users = [...new Set([...entries, ...state.written.toArray().map(({ waId }) => waId)])].filter(isUser)
  const user = userOf(query) ?? users.at(-1) ?? null
  const links = users.slice(-shownMax).map(each => `<a href="?user=${escaped(each)}">+${escaped(each)}</a>`)
  if (user === null) return html('Phone', '<h1>Phone</h1><p>No message has come yet. Send one and look again.</p>')
  return html(
    `Phone of +${user}`,
    `<h1>+${user}</h1><nav>${links.join(' · ')}</nav>` +
      `<iframe src="/sandbox/phone/thread?user=${user}" title="Messages"></iframe>` +
      `<form method="post" action="/sandbox/phone"><input type="hidden" name="user" value="${user}">` +
      '<input name="text" aria-label="Message" placeholder="Message" required maxlength="4096">' +
      '<button>Send</button></form>',
  )
}

/** The messages of a user with every line, the oldest first; it looks again by itself. */
export function phoneThread(state: SandboxState, query: URLSearchParams): Response {
  const user = userOf(query)
  const sent = state.journal
    .find({ ...(user !== null && { waId: user }), limit: shownMax })
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
  return html('Messages', articles.join(''), '<meta http-equiv="refresh" content="2">')
}
