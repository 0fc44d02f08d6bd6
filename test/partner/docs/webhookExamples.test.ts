import { beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../src/base/ids.ts'
import { outcome } from '../../db/fixtures.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, startTestGateway } from '../../gateway.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { examplesAt, type OpenApi, operationAt, readDocument } from './openapi.ts'

/*
 * What the document shows as the answer of a call on webhooks is what comes of the body that it shows.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
let document: OpenApi
beforeAll(async () => {
  document = await readDocument(gateway)
})

const all = '/api/v1/public/webhooks'
const one = `${all}/{webhookId}`

/** What no two answers have alike. */
const kinds: readonly (readonly [form: RegExp, kind: string])[] = [
  [/^(hook|ws|evt_test|evt)_?\w{10,}$/, 'an id'],
  [/^whsec_.{44}$/, 'a secret'],
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'a moment'],
]
const shapeOf = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) => {
    if (name === 'durationMs' || name === 'due') return typeof value
    return typeof value === 'string' ? (kinds.find(([form]) => form.test(value))?.[1] ?? value) : value
  })

const bodyAt = (place: string) =>
  Object.values(operationAt(document, place).requestBody?.content['application/json']?.examples ?? {})[0]?.value

/** An endpoint as the document shows it, in a workspace of its own: an event was delivered there at once. */
async function prepared(url: string) {
  const { workspaceId } = await gateway.addWorkspace()
  const key = await gateway.createKey({ workspaceId, scopes: ['webhooks'] })
  const ask = (method: string, path: string, body?: object) => {
    const headers = { ...key, ...(body && { 'content-type': 'application/json' }) }
    return answerOf(fetch(`${gateway.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
  }
  const add = async () => (await ask('POST', all, { ...bodyAt(`post ${all}`), url })).json.data.id as string
  const deliver = async (endpointId: string) => {
    const { read, write } = gateway.gateway.store
    const contact = {
      id: newId('contact'),
      workspaceId,
      phone: '+15550100200',
      userId: null,
      createdAt: 1,
      updatedAt: 1,
    }
    for (const name of ['Ada', 'Ada Lovelace']) await write.saveContact({ ...contact, name })
    const { events } = await read.events({ workspaceId, after: 0, limit: 1 })
    const seq = events[0]?.seq ?? 0
    const attempt = { ...outcome(0).attempt, answer: 'taken' }
    await write.recordAttempts({
      endpointId,
      position: seq,
      outcomes: [outcome(seq, { type: 'message.delivered', attempt })],
    })
  }
  return { ask, add, deliver }
}

test.each([
  `post ${all}`,
  `get ${all}`,
  `get ${one}`,
  `put ${one}`,
  `delete ${one}`,
  `post ${one}/rotate`,
  `post ${one}/test`,
  `get ${one}/deliveries`,
  `post ${one}/replay`,
])('%s', async place => {
  await using receiver = startReceiver()
  const { url } = bodyAt(`post ${all}`) as { url: string }
  const { ask, add, deliver } = await prepared(place.endsWith('/test') ? receiver.url : url)
  const [method = '', path = ''] = place.split(' ')
  const isNew = place === `post ${all}`
  const webhookId = isNew ? '' : await add()
  if (!isNew) await deliver(webhookId)
  const answer = await ask(method.toUpperCase(), path.replace('{webhookId}', webhookId), bodyAt(place))
  expect(answer.status).toBe(isNew ? 201 : 200)
  const [shown] = examplesAt(document, place, answer.status)
  expect(shapeOf(answer.json)).toEqual(shapeOf(shown))
})
