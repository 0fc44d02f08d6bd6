import { beforeAll, expect, test } from 'bun:test'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import { callbackUrl, status } from '../../callbacks/report.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, startTestGateway } from '../../gateway.ts'
import { messagesCallback, postCallback } from '../../upstream.ts'

/*
 * A client of the platform that has its callbacks and its files from here: what it is told, it finds by the drop-in API.
 */

const gateway = sharedFixture(() =>
  startTestGateway({ env: { GRAPH_API: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }),
)
let token = ''

/** What a program reads of a callback. */
interface Told {
  readonly statuses?: readonly {
    readonly id: string
    readonly status: string
    readonly biz_opaque_callback_data?: string
  }[]
  readonly messages?: readonly { readonly image: { readonly id: string } }[]
}
const told: Told[] = []
beforeAll(async () => {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: ['graph', 'messages:send', 'media'] })
  token = graphTokenOf(apiKey, apiSecret)
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const challenge = new URL(request.url).searchParams.get('hub.challenge')
      if (challenge !== null) return new Response(challenge)
      told.push(JSON.parse(await request.text()).entry[0].changes[0].value)
      return new Response()
    },
  })
  receiver.unref()
  const manager = await gateway.createKey({ scopes: ['webhooks'] })
  const added = await answerOf(
    fetch(`${gateway.url}/api/v1/public/webhooks`, {
      method: 'POST',
      headers: { ...manager, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'platform', url: `http://127.0.0.1:${receiver.port}/hook` }),
    }),
  )
  expect(added.status).toBe(201)
})

const ask = (path: string, init: RequestInit = {}) =>
  answerOf(fetch(`${gateway.url}/graph/v23.0/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } }))
const callback = (value: object) => postCallback(callbackUrl(gateway), messagesCallback(value), gateway.appSecret)

test('the id of the answer and its own words come back with each status', async () => {
  const sent = await ask(`${gateway.line.upstreamPhoneId}/messages`, {
    method: 'POST',
    body: JSON.stringify({ to: '4915112345678', text: { body: 'Hello' }, biz_opaque_callback_data: 'order 7' }),
  })
  const { id } = sent.json.messages[0]
  await callback({ statuses: [status(id, 'delivered')] })
  await eventually(() => expect(told.flatMap(({ statuses = [] }) => statuses)).toHaveLength(2))
  const statuses = told.flatMap(each => each.statuses ?? [])
  expect(statuses.map(each => [each.id, each.status, each.biz_opaque_callback_data])).toEqual([
    [id, 'sent', 'order 7'],
    [id, 'delivered', 'order 7'],
  ])
})

test('a file of a user has the id by which it is described here', async () => {
  const image = { id: '1479537139650973', mime_type: 'image/jpeg', sha256: 'c2hh', caption: 'Look' }
  const message = { from: '4915112345678', id: 'wamid.file', timestamp: '1749416383', type: 'image', image }
  await callback({ contacts: [{ profile: { name: 'Ada' }, wa_id: '4915112345678' }], messages: [message] })
  await eventually(() => expect(told.some(({ messages }) => messages)).toBe(true))
  const [shown] = told.flatMap(({ messages = [] }) => messages)
  expect<unknown>(shown).toEqual({ ...message, image: { ...image, id: expect.stringMatching(/^media_/) } })
  const id = shown?.image.id ?? ''
  expect((await ask(id)).json).toMatchObject({ id, mime_type: 'image/jpeg' })
})
