import { expect, test } from 'bun:test'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { messagesCallback, postCallback } from '../upstream.ts'
import { callbackUrl, text } from './report.ts'

const gateway = freshFixture(startTestGateway)

const fromUser = (at: number) => ({
  id: `wamid.inbound${at}`,
  from: `1650555${1_000 + at}`,
  timestamp: '1767225600',
  type: 'text',
  text: { body: 'Hello' },
})
const post = (body: unknown) => postCallback(callbackUrl(gateway), body, gateway.appSecret)

test('200: a callback of 10,000 messages is stored whole, and a send that comes meanwhile does not wait for its end', async () => {
  const ended: string[] = []
  // So many that most of them are to be stored still when a busy machine looks for the first one.
  const count = 10_000
  const messages = Array.from({ length: count }, (_, at) => fromUser(at))
  const callback = post(messagesCallback({ messages })).then(answer => {
    ended.push('callback')
    return answer
  })
  const contacts = (limit: number) => gateway.gateway.store.read.contacts({ workspaceId: gateway.workspaceId, limit })
  // The first of them is stored: the others are under way.
  while ((await contacts(1)).length === 0) await Bun.sleep(1)
  const sent = await gateway.send(text)
  ended.push('send')
  expect(sent.status).toBe(201)
  expect((await callback).status).toBe(200)
  expect(ended).toEqual(['send', 'callback'])
  expect(await contacts(2 * count)).toHaveLength(count)
})

test('200: the same callback again adds nothing, wherever the first one was cut', async () => {
  const messages = Array.from({ length: 120 }, (_, at) => fromUser(at))
  await post(messagesCallback({ messages: messages.slice(0, 70) }))
  expect((await post(messagesCallback({ messages }))).status).toBe(200)
  const contacts = await gateway.gateway.store.read.contacts({ workspaceId: gateway.workspaceId, limit: 10_000 })
  expect(contacts).toHaveLength(120)
})

test.each([
  ['brackets', '['.repeat(1_500_000) + ']'.repeat(1_500_000)],
  ['elements', `{"entry":[${'1,'.repeat(1_000_000)}1]}`],
])(
  '400 VALIDATION_ERROR: a callback that holds too much is counted and refused before it is parsed: %s',
  async (_, body) => {
    const answer = await postCallback(callbackUrl(gateway), body, gateway.appSecret)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('must not have more than 200000 fields and elements')
  },
)
