import { isObject, type JsonObject } from '../../base/json.ts'
import { blockedWords, isBlocked } from '../state/blocked.ts'
import { numberOf, userIdOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { writtenTo } from './answer.ts'
import { bubble, escaped, reactionIn } from './bubble.ts'

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
[role=status]{padding:.3rem .5rem}
form{display:flex;flex-wrap:wrap;gap:.5rem;padding:.5rem}form q,form [type=file]{flex-basis:100%}
button,input{font:inherit}input{flex:1;min-width:0;padding:.4rem;
background:var(--in);color:inherit;border:1px solid var(--soft);border-radius:.4rem}
input::placeholder{color:var(--soft)}
article{background:var(--in);border-radius:.6rem;padding:.5rem .7rem;margin:.4rem 3rem .4rem 0}article a{color:inherit}
article.own{background:var(--own);margin:.4rem 0 .4rem 3rem}b{display:block}
p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}img,video{max-width:100%;border-radius:.4rem;display:block}
audio{max-width:100%}q,small,time{color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}
i{display:block;text-align:center;color:var(--link);border-top:1px solid var(--edge);padding:.3rem;font-style:normal}
.at{display:block;margin:.3rem 0 0}article>a{float:right;font-size:.8rem}
q{display:block;border-left:3px solid var(--link);
padding-left:.4rem;margin-bottom:.2rem;quotes:none}
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
  const { quote, reactions } = answering(threadOf(state, user), query.get('to'))
  const line = writtenTo(state, query.get('to') ?? '')
  const form =
    line && isBlocked(state, line.id, user)
      ? `<p role="status">${escaped(blockedWords(line))}</p>`
      : `<form method="post" enctype="multipart/form-data" action="/sandbox/phone">` +
        `<input type="hidden" name="user" value="${user}">${quote}` +
        '<input name="text" aria-label="Message" placeholder="Message" maxlength="4096"><button>Send</button>' +
        '<input type="file" name="file" aria-label="Picture or file">' +
        `${reactions}</form>`
  return html(
    `Phone of ${named(user)}`,
    `<h1>${named(user)}</h1><nav>${links.join(' · ')}</nav>` +
      `<iframe src="/sandbox/phone/thread?user=${user}" title="Messages"></iframe>${form}`,
  )
}

interface Shown {
  readonly at: number
  readonly own: boolean
  readonly wamid: string
  readonly body: JsonObject
}

/** The messages of a user with every line, the oldest first. */
function threadOf(state: SandboxState, user: string | null): Shown[] {
  // What went to the user id of somebody with a number is on the same phone.
  const addresses = user === null || !isNumber(user) ? [user] : [user, userIdOf(user)]
  const sent = addresses
    .flatMap(waId => state.journal.find({ ...(waId !== null && { waId }), limit: shownMax }))
    .flatMap(({ at, kind, wamid, body }) =>
      kind === 'send' && wamid !== undefined ? [{ at, own: false, wamid, body: isObject(body) ? body : {} }] : [],
    )
  const written = state.written
    .toArray()
    .filter(({ waId }) => waId === user)
    .map(({ at, wamid, content }) => ({ at, own: true, wamid, body: content }))
  return [...sent, ...written].sort((one, other) => one.at - other.at).slice(-shownMax)
}

/** The first words of a message that is quoted; its kind where it has none. */
function wordsIn(thread: readonly Shown[], wamid: string): string | undefined {
  const body = thread.find(each => each.wamid === wamid)?.body
  if (!body) return undefined
  const { type = 'text' } = body
  const content = body[String(type)]
  const { body: said, caption, name } = isObject(content) ? content : {}
  const words = isObject(said) ? said.text : (said ?? caption ?? name)
  return String(words ?? type).slice(0, quotedCharsMax)
}
const quotedCharsMax = 80

/** What phones offer first. */
const emoji = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** The message that the form answers, and what it can be reacted to with: after `Send`, which Enter presses. */
function answering(thread: readonly Shown[], wamid: string | null) {
  const words = wamid === null ? undefined : wordsIn(thread, wamid)
  if (words === undefined) return { quote: '', reactions: '' }
  const reactions = emoji.map(each => `<button name="emoji" value="${each}">${each}</button>`).join('')
  return {
    quote: `<input type="hidden" name="contextId" value="${escaped(wamid)}"><q>${escaped(words)}</q>`,
    reactions,
  }
}

/** The thread of a user; it looks again by itself. */
export function phoneThread(state: SandboxState, query: URLSearchParams): Response {
  const user = userOf(query)
  const thread = threadOf(state, user)
  const ids = new Set(thread.map(({ wamid }) => wamid))
  // The last reaction of each side stands at its message; an empty one takes it back.
  const reactions = new Map<string, Map<boolean, string>>()
  for (const { own, body } of thread) {
    const reaction = reactionIn(body)
    if (!reaction || !ids.has(reaction.to)) continue
    const atIt = reactions.get(reaction.to) ?? new Map<boolean, string>()
    reactions.set(reaction.to, atIt.set(own, reaction.emoji))
  }
  const articles = thread.flatMap(({ at, own, wamid, body }) => {
    const reaction = reactionIn(body)
    if (reaction && ids.has(reaction.to)) return []
    const time = new Date(at).toISOString()
    const clock = `<time datetime="${time}">${time.slice(11, 19)}</time>`
    const shown = bubble(body, state.templates, quoted => wordsIn(thread, quoted))
    const given = [...(reactions.get(wamid)?.values() ?? [])].join('')
    const atIt = given === '' ? '' : `<span class="at">${escaped(given)}</span>`
    const to = `/sandbox/phone?user=${escaped(user)}&#38;to=${encodeURIComponent(wamid)}`
    const answer = own ? '' : `<a href="${to}" target="_top">Answer</a>`
    return `<article${own ? ' class="own"' : ''}>${shown}${clock}${answer}${atIt}</article>`
  })
  return html('Messages', `<main><div>${articles.join('')}</div></main>`, '<meta http-equiv="refresh" content="2">')
}
