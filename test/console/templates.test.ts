import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { SANDBOX } from '../../src/sandbox/server.ts'
import type { TemplateDraft } from '../../src/templates/authoring/draft.ts'
import { type Stack, startStack, user } from '../e2e/stack.ts'
import { eventually } from '../eventually.ts'
import { mp4, png } from '../sandbox/rig.ts'
import { card, carousel, draft, kinds, url } from '../templates/authoring/drafts.ts'
import { addPerson, type CallInit, type Person } from './people.ts'

let stack: Stack
let member: Person
let admin: Person
let viewer: Person
beforeAll(async () => {
  stack = await startStack()
  stack.control.configure({ reviewAfterMs: 0 })
  await stack.sync()
  member = await addPerson(stack, 'member')
  admin = await addPerson(stack, 'admin')
  viewer = await addPerson(stack, 'viewer')
  await stack.gateway.store.write.setAppId({ channelId: stack.channelId, appId: SANDBOX.appId, at: Date.now() })
})
const isReached = () =>
  fetch(`${stack.sandbox.url}/sandbox`).then(
    ({ status }) => status === 200,
    () => false,
  )
// Also what a test that failed half-way has left.
afterEach(async () => {
  stack.control.clearFaults()
  stack.control.configure({ reviewAfterMs: 0 })
  stack.control.setToken('valid')
  await stack.gateway.store.write.setAppId({ channelId: stack.channelId, appId: SANDBOX.appId, at: Date.now() })
  if (await isReached()) return
  await stack.control.outage(0)
  await eventually(async () => expect(await isReached()).toBe(true))
})
afterAll(() => stack.stop())

const path = (rest = '', at = stack) => `/api/v1/workspaces/${at.workspaceId}/templates${rest}`
const call = (rest: string, init?: CallInit, person = member) => person.call(path(rest), init)
const list = async (query = '', person = viewer, at = stack) =>
  (await person.call(path(`?phoneNumberId=${at.line.id}${query}`, at))).json
const create = (given: TemplateDraft, person = member) =>
  call('', { body: { phoneNumberId: stack.line.id, draft: given } }, person)
const edit = (id: string, given: TemplateDraft) => call(`/${id}`, { method: 'PUT', body: { draft: given } })
const show = async (id: string) => (await call(`/${id}`, {}, viewer)).json
const code = ({ status, json }: { status: number; json: { error?: string } | null }) => `${status} ${json?.error ?? ''}`
const approved = (id: string) => eventually(async () => expect((await show(id)).template.status).toBe('APPROVED'))

let names = 0
const named = (fields: Partial<TemplateDraft> = {}) => {
  names += 1
  return draft({ name: `made_${names}`, ...fields })
}
/** Creates one and waits for its review. */
async function make(fields: Partial<TemplateDraft> = {}) {
  const given = named(fields)
  const created = await create(given)
  expect(created.status).toBe(200)
  const { id } = created.json.template
  await approved(id)
  return { id, given }
}
const audited = async (action: string) =>
  (await stack.gateway.store.read.auditEntries({ action, limit: 1 })).map(({ actor, subject }) => ({ actor, subject }))

const upload = async (kind: string, bytes: Uint8Array, person = member) => {
  const query = new URLSearchParams({ phoneNumberId: stack.line.id, kind, fileName: 'example' })
  const response = await fetch(`${stack.url}/api/v1/workspaces/${stack.workspaceId}/template-examples?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  const json = (await response.json()) as {
    error?: string
    message?: string
    handle: string
    details: { issues: object[] }
  }
  return { status: response.status, json }
}

describe('listing', () => {
  /** Of its own, with the templates of the sandbox alone: the other tests create, lose and reject theirs. */
  let own: Stack
  let reader: Person
  beforeAll(async () => {
    own = await startStack()
    await own.sync()
    reader = await addPerson(own, 'viewer')
  })
  afterAll(() => own.stop())
  const listed = (query = '') => list(query, reader, own)

  test("shows the templates of the line's channel in every status, with what a preview needs", async () => {
    const { templates, total, statuses } = await listed()
    expect(total).toBe(own.control.templates().length)
    expect(statuses).toContainEqual({ status: 'REJECTED', count: 1 })
    const carousel = (await listed('&search=plant_carousel')).templates[0]
    expect(carousel.draft.cards).toHaveLength(3)
    const rejected = (await listed('&status=REJECTED')).templates
    expect(rejected).toMatchObject([{ name: 'bold_claim', reason: { reason: 'PROMOTIONAL' } }])
    expect(templates.length).toBeLessThanOrEqual(50)
  })

  test('finds by a part of the name and by words of the text', async () => {
    expect((await listed('&search=COUPON')).templates.map(({ name }: { name: string }) => name)).toEqual([
      'coupon_reminder',
    ])
    expect((await listed('&search=order confirmation')).total).toBe(2)
    expect((await listed('&search=how to water')).templates).toMatchObject([{ name: 'video_guide' }])
  })
})

describe('showing', () => {
  test('says which variables a send fills, with example values that can be sent', async () => {
    const [{ id }] = (await list('&search=coupon_reminder')).templates
    const shown = await show(id)
    expect(shown.variables).toContainEqual({
      key: '1',
      kind: 'text',
      isRequired: true,
      card: null,
      places: ['header', 'body', 'URL button 0'],
    })
    expect(shown.exampleValues.templateVariables).toMatchObject({ '1': 'SUMMER20', '2': '10', copy_code: 'SUMMER20' })
  })

  test('says what only components can give', async () => {
    const [{ id }] = (await list('&search=pickup_point')).templates
    expect((await show(id)).unsupported).toEqual(['its header is of the kind location'])
  })
})

describe('creating', () => {
  test('is submitted, listed as PENDING at once, approved by the review, and sendable then', async () => {
    stack.control.configure({ reviewAfterMs: 60_000 })
    const given = named()
    const { json } = await create(given)
    expect(json.template).toMatchObject({ name: given.name, status: 'PENDING', draft: given })
    expect((await list(`&search=${given.name}`)).templates).toMatchObject([{ status: 'PENDING' }])
    expect(await audited('template.create')).toEqual([{ actor: `console:${member.email}`, subject: json.template.id }])
    await stack.control.setTemplateStatus({ name: given.name, language: 'en_US', event: 'APPROVED' })
    await approved(json.template.id)
    const sent = await stack.send({
      type: 'template',
      phone: user,
      templateName: given.name,
      templateVariables: { '1': 'Ada' },
    })
    expect(sent.status).toBe(201)
  })

  test('400 VALIDATION_ERROR: every broken rule with its field, and nothing is submitted', async () => {
    const before = stack.control.templates().length
    const answer = await create(named({ name: 'Bad Name', footer: 'For {{1}}', buttons: [url('http://a.example')] }))
    expect(code(answer)).toBe('400 VALIDATION_ERROR')
    expect(answer.json.details.issues.map(({ path: at }: { path: string }) => at)).toEqual([
      '/name',
      '/footer',
      '/buttons/0/url',
    ])
    expect(stack.control.templates()).toHaveLength(before)
  })

  test('400 VALIDATION_ERROR: a field that no draft has', async () => {
    const answer = await call('', { body: { phoneNumberId: stack.line.id, draft: { ...named(), heading: 'x' } } })
    expect(answer.json.details.issues[0].path).toContain('heading')
  })

  test("400 CHANNEL_GRAPH_ERROR: the upstream's refusal in words, with what to do", async () => {
    const { given } = await make()
    const answer = await create(given)
    expect(code(answer)).toBe('400 CHANNEL_GRAPH_ERROR')
    expect(answer.json.message).toContain('has a template in this language already')
    expect(answer.json.details).toMatchObject({ code: 100, subcode: 2388024 })
  })

  test('502 CHANNEL_GRAPH_ERROR: a refused token is not the fault of the person', async () => {
    stack.control.setToken('expired')
    const answer = await create(named())
    expect(code(answer)).toBe('502 CHANNEL_GRAPH_ERROR')
    expect(answer.json.message).toContain('Give the channel a new one')
  })

  test('a rejection shows the word and the advice of the upstream', async () => {
    const { json } = await create(named({ name: 'rejected_promotional_offer' }))
    await eventually(async () => {
      const { template } = await show(json.template.id)
      expect(template).toMatchObject({ status: 'REJECTED', reason: { reason: 'PROMOTIONAL' } })
      expect(template.reason.words).toContain('choose the category MARKETING')
    })
  })

  test('a pause shows what happened', async () => {
    const { json } = await create(named({ name: 'paused_offer' }))
    await eventually(async () => {
      const { template } = await show(json.template.id)
      expect(template).toMatchObject({ status: 'PAUSED', reason: { reason: 'FIRST_PAUSE' } })
    })
  })

  test('403 FORBIDDEN: a viewer', async () => {
    expect(code(await create(named(), viewer))).toBe('403 FORBIDDEN')
  })
})

describe('an answer that is lost', () => {
  const lose = (sent: boolean) => stack.control.addFault({ on: 'templates', answer: 'reset', sent, next: 1 })

  test('the template is there: it is found in the listing, and answered as created', async () => {
    const given = named()
    lose(true)
    const answer = await create(given)
    // A listing within the last minute is not read again: then the person is told to look.
    const isTold = answer.status === 502 && answer.json.message.includes('it may have been created')
    expect(answer.status === 200 || isTold).toBe(true)
    expect(stack.control.templates().filter(({ name }) => name === given.name)).toHaveLength(1)
  })

  test('503 SERVICE_UNAVAILABLE: the upstream is not reached, nothing was created', async () => {
    await stack.control.outage(60_000)
    const answer = await create(named())
    expect(code(answer)).toBe('503 SERVICE_UNAVAILABLE')
    expect(answer.json.message).toContain('nothing was created')
  })
})

describe('examples of headers', () => {
  test('a file is uploaded for the app, and its handle makes a template', async () => {
    const uploaded = await upload('image', png)
    expect(uploaded.status).toBe(200)
    expect(uploaded.json.handle).toStartWith('4::')
    const header = { kind: 'image', handle: uploaded.json.handle, fileName: 'a.png' } as const
    const single = await create(named({ header }))
    expect([single.status, single.json.message]).toEqual([200, undefined])
    const cards = [card({ header }), card({ header })]
    const made = await create({ ...carousel(cards), name: named().name })
    expect([made.status, made.json.message]).toEqual([200, undefined])
    expect(await audited('template.upload-example')).toMatchObject([{ subject: stack.channelId }])
  })

  test('400 VALIDATION_ERROR: a file of another kind; 413: one that is too large', async () => {
    const wrong = await upload('image', mp4)
    expect(code(wrong)).toBe('400 VALIDATION_ERROR')
    expect(wrong.json.details.issues).toMatchObject([{ path: '/file' }])
    expect((await upload('video', new Uint8Array(17 * 1_048_576))).status).toBe(413)
  })

  test('400 VALIDATION_ERROR: a channel without an app says what to do', async () => {
    const { channelId } = stack
    await stack.gateway.store.write.setAppId({ channelId, appId: null, at: Date.now() })
    expect((await list()).canUpload).toBe(false)
    const answer = await upload('image', png)
    await stack.gateway.store.write.setAppId({ channelId, appId: SANDBOX.appId, at: Date.now() })
    expect(code(answer)).toBe('400 VALIDATION_ERROR')
    expect(answer.json.message).toContain('channel set-app-id')
    expect((await list()).canUpload).toBe(true)
  })

  test('403 FORBIDDEN: a viewer, before the file is read', async () => {
    expect(code(await upload('image', png, viewer))).toBe('403 FORBIDDEN')
  })
})

describe('editing', () => {
  test('replaces the texts, is reviewed again, and keeps the id', async () => {
    const { id, given } = await make()
    const changed = { ...given, body: { text: 'Hello {{1}}, your order waits for you.', examples: { '1': 'Ada' } } }
    const answer = await edit(id, changed)
    expect(answer.json.template).toMatchObject({ id, draft: changed })
    await eventually(async () => {
      expect(stack.control.templates().find(({ name }) => name === given.name)?.status).toBe('APPROVED')
    })
    expect(await audited('template.edit')).toEqual([{ actor: `console:${member.email}`, subject: id }])
  })

  test('400 CHANNEL_GRAPH_ERROR: an approved one a second time within a day', async () => {
    const { id, given } = await make()
    await edit(id, given)
    await eventually(async () => {
      expect(stack.control.templates().find(({ name }) => name === given.name)?.status).toBe('APPROVED')
    })
    const answer = await edit(id, given)
    expect(code(answer)).toBe('400 CHANNEL_GRAPH_ERROR')
    expect(answer.json.message).toContain('within the last 24 hours')
  })

  test.each([
    ['another name', { name: 'another' }, 'Name and language'],
    ['another language', { language: 'de' }, 'Name and language'],
    ['another category while it is approved', { category: 'MARKETING' }, 'category of an approved'],
    ['names in place of numbers', { parameterFormat: 'NAMED' }, 'cannot change between'],
  ] as const)('400 VALIDATION_ERROR: %s', async (_, change, words) => {
    const { id, given } = await make()
    const answer = await edit(id, { ...given, ...change })
    expect(code(answer)).toBe('400 VALIDATION_ERROR')
    expect(answer.json.message).toContain(words)
  })

  test('400 VALIDATION_ERROR: one that is in review', async () => {
    stack.control.configure({ reviewAfterMs: 60_000 })
    const given = named()
    const { json } = await create(given)
    expect(json.template.editProblem).toContain('in review')
    expect(code(await edit(json.template.id, given))).toBe('400 VALIDATION_ERROR')
  })
})

describe('deleting', () => {
  const remove = (id: string, languages: 'one' | 'all', person = admin) =>
    call(`/${id}?languages=${languages}`, { method: 'DELETE' }, person)

  test('one language: the others stay; the name is blocked, and the refusal of its next use says so', async () => {
    const { id, given } = await make()
    await create({ ...given, language: 'de' })
    expect((await remove(id, 'one')).json).toEqual({ name: given.name, language: 'en_US' })
    expect((await list(`&search=${given.name}`)).templates).toMatchObject([{ language: 'de' }])
    expect((await call(`/${id}`)).status).toBe(404)
    const again = await create(given)
    expect(again.json.message).toContain('The name is blocked')
    expect(await audited('template.delete')).toEqual([{ actor: `console:${admin.email}`, subject: id }])
  })

  test('all languages of the name', async () => {
    const { id, given } = await make()
    await create({ ...given, language: 'de' })
    expect((await remove(id, 'all')).json).toEqual({ name: given.name, language: null })
    expect((await list(`&search=${given.name}`)).total).toBe(0)
    expect(stack.control.templates().filter(({ name }) => name === given.name)).toEqual([])
  })

  test('400 VALIDATION_ERROR: a disabled one', async () => {
    const [{ id }] = (await list('&search=old_promo')).templates
    expect((await remove(id, 'one')).json.message).toContain('A disabled template cannot be deleted')
  })

  test('403 FORBIDDEN: a member', async () => {
    const { id } = await make()
    expect(code(await remove(id, 'one', member))).toBe('403 FORBIDDEN')
  })
})

describe('sending a test', () => {
  const send = (id: string, more: object = {}) =>
    call(`/${id}/test`, {
      body: {
        phoneNumberId: stack.line.id,
        phone: user,
        idempotencyKey: `test-${id}`,
        values: { templateVariables: { '1': 'Ada' } },
        ...more,
      },
    })

  test('goes the way of every send, once for each key, and is in the audit', async () => {
    const { id, given } = await make()
    const before = stack.control.totals().requests
    const first = await send(id)
    expect(first.json).toMatchObject({ status: 'SENT', isReplay: false })
    expect((await send(id)).json).toMatchObject({ messageId: first.json.messageId, isReplay: true })
    expect(stack.control.totals().requests).toBe(before + 1)
    expect(stack.sent().at(-1)).toMatchObject({ to: user, template: { name: given.name } })
    expect(await audited('template.send-test')).toEqual([
      { actor: `console:${member.email}`, subject: first.json.messageId },
    ])
    const [message] = await stack.messages()
    expect(message).toMatchObject({ id: first.json.messageId, apiKeyId: null })
  })

  test('409 IDEMPOTENCY_CONFLICT: the same key with other values', async () => {
    const { id } = await make()
    await send(id)
    expect(code(await send(id, { values: { templateVariables: { '1': 'Bob' } } }))).toBe('409 IDEMPOTENCY_CONFLICT')
  })

  test('400 VALIDATION_ERROR: a missing variable, a wrong number', async () => {
    const { id } = await make()
    const missing = await send(id, { values: { templateVariables: {} } })
    expect(missing.json.details.issues).toMatchObject([{ path: '/templateVariables/1' }])
    expect((await send(id, { phone: '12' })).json.details.issues).toMatchObject([{ path: '/phone' }])
  })

  test('400 TEMPLATE_NOT_APPROVED: one that is in review', async () => {
    stack.control.configure({ reviewAfterMs: 60_000 })
    const { json } = await create(named())
    expect(code(await send(json.template.id))).toBe('400 TEMPLATE_NOT_APPROVED')
  })
})

test('reading the listing now brings what the upstream has, and is in the audit', async () => {
  const name = `own_${names}`
  stack.control.putTemplate({ name, language: 'en_US', components: [{ type: 'BODY', text: 'Hello' }] })
  const { json } = await call('/sync', { body: { phoneNumberId: stack.line.id } })
  expect(json.synced).toBe(stack.control.templates().length)
  expect((await list(`&search=${name}`)).total).toBe(1)
  expect(await audited('template.sync')).toEqual([{ actor: `console:${member.email}`, subject: stack.channelId }])
})

test('a draft of every kind can be read by the route: none is refused for its form', async () => {
  const withoutFiles = Object.values(kinds).filter(given => !JSON.stringify(given).includes('"handle"'))
  expect(withoutFiles.length).toBeGreaterThan(15)
  for (const given of withoutFiles) {
    const answer = await create({ ...given, name: named().name })
    expect([answer.status, answer.json.message]).toEqual([200, undefined])
  }
})
