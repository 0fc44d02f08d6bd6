import { randomUUID } from 'node:crypto'
import express from 'express'

/** What callers meet: the key, the body, the idempotency key, and an answer that tells what is stored. */

const contentLengthMax = 4096
const keyLengthMax = 255
/** As many connections may knock at once. */
const backlog = 4096

/**
 * @param store keys and messages
 * @param send sends what was accepted; resolves with the outcome once it is stored
 * @param waitMs how long a caller waits for it, before the answer is `QUEUED`
 */
export function serve({ store, send, waitMs, port }) {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.get('/readyz', (_, response) => response.sendStatus(200))

  app.post('/api/v1/public/messages/send', express.json(), async (request, response) => {
    const refuse = (status, message) => response.status(status).json({ success: false, message })
    const key = await store.findKey(request.get('apikey') ?? '', request.get('apisecret') ?? '')
    if (key === undefined) return refuse(401, 'no such key')
    const problem = problemOf(request.body)
    if (problem !== null) return refuse(400, problem)

    const { phone, content, idempotencyKey = null } = request.body
    const id = randomUUID()
    const message = { id, idempotencyKey, recipient: phone, payload: payloadOf(phone, content) }
    const accepted = await store.accept(key, message)
    const answer = ({ id, status, platformId = null }) =>
      response.status(201).json({ success: true, data: { id, status, channelMessageId: platformId } })
    switch (accepted.kind) {
      case 'full':
        return refuse(429, 'the month is full')
      case 'repeated':
        if (accepted.message.payload !== message.payload) return refuse(409, 'the key was used for another message')
        return answer(accepted.message)
      case 'new': {
        const outcome = await within(waitMs, send(message))
        return answer({ id, ...(outcome ?? { status: 'QUEUED' }) })
      }
    }
  })

  app.listen(port, '127.0.0.1', backlog)
}

function problemOf(body) {
  const { type, phone, content, idempotencyKey } = body ?? {}
  if (type !== 'text') return 'type must be text'
  if (typeof phone !== 'string' || !/^\+[1-9]\d{6,14}$/.test(phone)) return 'phone must be a number as +4915112345678'
  if (typeof content !== 'string' || content === '' || content.length > contentLengthMax)
    return `content must have 1 to ${contentLengthMax} characters`
  if (idempotencyKey === undefined) return null
  if (typeof idempotencyKey !== 'string' || idempotencyKey === '' || idempotencyKey.length > keyLengthMax)
    return `idempotencyKey must have 1 to ${keyLengthMax} characters`
  return null
}

const payloadOf = (to, text) =>
  JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: text } })

/** @returns what the promise gives, or undefined when that takes longer */
function within(ms, promise) {
  let timer
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
