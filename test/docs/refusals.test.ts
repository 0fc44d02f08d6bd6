import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { operationErrors } from '../../src/http/docs/errorAnswers.ts'
import { errorSchema } from '../../src/http/docs/errorSchema.ts'
import { check } from '../../src/schema.ts'
import { type Answer, startTestGateway, type TestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  await gateway.addTemplates(
    { name: 'bilingual', language: 'en_US' },
    { name: 'bilingual', language: 'de' },
    { name: 'waiting', status: 'PENDING' },
  )
})
afterEach(() => {
  gateway.upstream.answer = accept
})
afterAll(() => gateway.stop())

const isDocumented = check(errorSchema)
const text = { type: 'text', phone: '+4915112345678', content: 'Hi' }
const template = (fields: object) => ({ type: 'template', phone: text.phone, templateVariables: {}, ...fields })

/** Real refusals, each with the shape of its details. */
const refusals: readonly [name: string, fields: string[] | null, ask: () => Promise<Answer>][] = [
  ['VALIDATION_ERROR', ['issues'], () => gateway.send({ type: 'text' })],
  ['NOT_FOUND', null, () => gateway.send(template({ templateName: 'nowhere' }))],
  ['NOT_FOUND', ['languages'], () => gateway.send(template({ templateName: 'bilingual', templateLanguage: 'fr' }))],
  ['TEMPLATE_NOT_APPROVED', ['status'], () => gateway.send(template({ templateName: 'waiting' }))],
  ['UNSUPPORTED_MEDIA_TYPE', null, () => gateway.send(text, { 'content-type': 'text/plain' })],
  ['PAYLOAD_TOO_LARGE', null, () => gateway.send({ ...text, content: 'x'.repeat(1_100_000) })],
  ['UNAUTHORIZED', null, () => gateway.send(text, { apiSecret: 'sk_wrong' })],
  ['PHONE_NUMBER_NOT_FOUND', null, () => gateway.send({ ...text, phoneNumberId: 'line_none' })],
  [
    'CHANNEL_GRAPH_ERROR',
    ['code', 'details', 'messageId', 'retryable', 'subcode', 'title', 'traceId'],
    () => {
      gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'Message undeliverable' })
      return gateway.send(text)
    },
  ],
  [
    'CHANNEL_GRAPH_ERROR',
    ['messageId', 'outcome'],
    () => {
      gateway.upstream.answer = () => new Response('<html>', { status: 500 })
      return gateway.send(text)
    },
  ],
  [
    'PHONE_NUMBER_REQUIRED',
    ['phoneNumberIds'],
    async () => {
      const { workspaceId, channelId, key } = await gateway.addWorkspace()
      await gateway.addLine({ workspaceId, channelId })
      return gateway.send(text, { ...key })
    },
  ],
  [
    'PLAN_LIMIT_EXCEEDED',
    ['limit', 'resetsAt', 'used'],
    async () => {
      const { workspaceId, key } = await gateway.addWorkspace()
      await gateway.gateway.store.write.setMonthlyLimit({ workspaceId, limit: 0 })
      return gateway.send(text, { ...key })
    },
  ],
]

describe('real refusals of a send have the documented shape', () => {
  test.each(refusals)('%s with details %p', async (reason, fields, ask) => {
    const { json } = await ask()
    expect(json.error).toBe(reason)
    expect(operationErrors.sendMessage).toContain(json.error)
    expect(json.details ? Object.keys(json.details).sort() : null).toEqual(fields)
    expect(isDocumented(json)).toMatchObject({ ok: true })
  })
})
