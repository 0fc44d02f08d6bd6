import { beforeAll, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { phone, takeSent, templateOf } from './catalog.ts'

const gateway = sharedFixture(startTestGateway)
const lastUpdateAt = Date.parse('2026-02-24T09:31:12Z')
beforeAll(async () => {
  const components = JSON.stringify([{ type: 'BODY', text: 'Hello' }])
  const records = [
    ['single', 'en_US', 'APPROVED'],
    ['short', 'en', 'APPROVED'],
    ['regions', 'en_US', 'APPROVED'],
    ['regions', 'en_GB', 'APPROVED'],
    ['regions', 'de', 'APPROVED'],
    ['half', 'en_US', 'APPROVED'],
    ['half', 'en_GB', 'PENDING'],
    ['half', 'fr', 'REJECTED'],
    ['script', 'zh_Hant_HK', 'APPROVED'],
    ...['PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'LIMIT_EXCEEDED', 'ARCHIVED'].map(status => [
      status.toLowerCase(),
      'en_US',
      status,
    ]),
    ['deleted', 'en_US', 'DELETED'],
  ].map(([name = '', language = '', status = '']) => ({ name, language, status, components }))
  const promo = { name: 'promo', status: 'REJECTED', rejectedReason: 'PROMOTIONAL', lastUpdateAt }
  await gateway.addTemplates(...records, promo)
})

const send = (templateName: string, templateLanguage?: string, fields: object = { templateVariables: {} }) =>
  gateway.send({ type: 'template', phone, templateName, ...(templateLanguage && { templateLanguage }), ...fields })

/** Rule by rule: test/templates/match.test.ts. */
describe('the language of a template', () => {
  test.each([
    ['single', undefined, 'en_US'],
    ['single', 'en-US', 'en_US'],
    ['single', 'en', 'en_US'],
    ['short', 'en_US', 'en'],
    ['regions', 'de_AT', 'de'],
    ['script', 'zh', 'zh_Hant_HK'],
  ])('201: %s in %p is sent as %s, exactly as it was approved', async (name, language, code) => {
    expect((await send(name, language)).status).toBe(201)
    expect(templateOf(takeSent(gateway))).toEqual({ name, language: { code } })
  })

  test.each([
    ['regions', undefined, '400 VALIDATION_ERROR'],
    ['half', 'en_GB', '400 TEMPLATE_NOT_APPROVED'],
    ['single', 'en_GB', '404 NOT_FOUND'],
    ['single', '%', '404 NOT_FOUND'],
  ])('%s in %p: %s', async (name, language, expected) => {
    const { status, json } = await send(name, language)
    expect(`${status} ${json.error}`).toBe(expected)
    expect(gateway.upstream.received).toEqual([])
  })

  test('400 VALIDATION_ERROR: when several would do, the answer lists them', async () => {
    const { json } = await send('regions')
    expect(json.details.issues).toEqual([
      { path: '/templateLanguage', message: expect.stringMatching(/de, en_GB, en_US$/) },
    ])
  })
})

describe('the status of a template', () => {
  test.each(['pending', 'rejected', 'paused', 'disabled', 'in_appeal', 'limit_exceeded', 'archived'])(
    '400 TEMPLATE_NOT_APPROVED: %s',
    async name => {
      for (const fields of [{ templateVariables: {} }, { templateComponents: [{ type: 'body' }] }]) {
        const { status, json } = await send(name, 'en_US', fields)
        expect(`${status} ${json.error}`).toBe('400 TEMPLATE_NOT_APPROVED')
      }
      expect(gateway.upstream.received).toEqual([])
    },
  )

  test('why it was rejected and since when is said', async () => {
    const { json } = await send('promo', 'en_US', { templateVariables: {} })
    expect(json).toMatchObject({
      message: 'The template is not approved: its status is REJECTED (PROMOTIONAL), since 2026-02-24.',
      details: { status: 'REJECTED', reason: 'PROMOTIONAL', since: '2026-02-24T09:31:12.000Z' },
    })
  })

  test.each(['unknown', 'deleted', 'SINGLE', 'single ', 'sing%', '__proto__'])('404 NOT_FOUND: %p', async name => {
    const { status, json } = await send(name)
    expect(`${status} ${json.error}`).toBe('404 NOT_FOUND')
    expect(gateway.upstream.received).toEqual([])
  })

  test('400 TEMPLATE_NOT_APPROVED: a template paused meanwhile counts from the next request', async () => {
    const other = await gateway.addWorkspace()
    const { store } = gateway.gateway
    const [single] = await store.read.templatesNamed({ channelId: gateway.channelId, name: 'single' })
    if (!single) throw new Error('no template')
    const ask = async () => {
      const body = { type: 'template', phone, templateName: 'single', templateVariables: {} }
      const { status, json } = await gateway.send(body, { ...other.key })
      return `${status} ${json.error ?? json.data.status}`
    }
    const list = (status: string) =>
      store.write.replaceTemplates({
        channelId: other.channelId,
        at: Date.now(),
        recordedAt: Date.now(),
        templates: [{ ...single, id: `${single.id}x`, channelId: other.channelId, status }],
      })
    await list('APPROVED')
    expect(await ask()).toBe('201 SENT')
    await list('PAUSED')
    expect(await ask()).toBe('400 TEMPLATE_NOT_APPROVED')
    gateway.upstream.received.length = 0
  })
})
