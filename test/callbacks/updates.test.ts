import { expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { template } from '../db/fixtures.ts'
import { freshFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { callbackOf, postCallback } from '../upstream.ts'

const gateway = freshFixture(startTestGateway)

const second = 1_767_225_600
const tell = (field: string, value: object, time = second) =>
  postCallback(
    `${gateway.gateway.url}/callbacks/channel/${gateway.channelId}`,
    callbackOf([{ field, value }], { time }),
    gateway.appSecret,
  )
const store = () => gateway.gateway.store
const kept = (subject: string) => store().read.updates(subject)

async function addContact(phone: string) {
  const id = newId('contact')
  const made = { createdAt: 1, updatedAt: 1 }
  await store().write.saveContact({ id, workspaceId: gateway.workspaceId, phone, userId: null, name: null, ...made })
  return id
}

test('a marketing opt-out is kept on the contact, and the last word stays in any order', async () => {
  const id = await addContact('+16505551234')
  const preference = (value: string, timestamp: number) => ({
    wa_id: '16505551234',
    category: 'marketing_messages',
    value,
    timestamp,
  })
  for (const last of [preference('stop', second + 9), preference('resume', second)]) {
    expect((await tell('user_preferences', { user_preferences: [last] })).status).toBe(200)
  }
  expect(await kept(id)).toEqual([
    { kind: 'user_preferences marketing_messages', at: (second + 9) * 1_000, detail: preference('stop', second + 9) },
  ])
})

test('of a long change about many users, none gets a copy of what it says of all', async () => {
  const id = await addContact('+16505551234')
  const users = Array.from({ length: 300 }, (_, at) => ({ wa_id: String(16_505_551_000 + at), value: 'stop' }))
  await tell('user_preferences', { user_preferences: users })
  expect(await kept(id)).toMatchObject([{ detail: { value: 'stop' } }])
  const { events } = await store().read.events({ workspaceId: gateway.workspaceId, after: 0, limit: 500 })
  const told = events.filter(({ type }) => type === 'contact.preference_changed')
  expect(told).toHaveLength(users.length)
  for (const event of told) expect(event).toMatchObject({ data: { preference: { value: 'stop' } }, callback: null })
})

test('an account update is kept on the channel, one for each event', async () => {
  const banned = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } }
  await tell('account_update', banned)
  await tell('account_update', { event: 'VERIFIED_ACCOUNT' }, second + 1)
  expect(await kept(gateway.channelId)).toEqual([
    { kind: 'account_update VERIFIED_ACCOUNT', at: (second + 1) * 1_000, detail: { event: 'VERIFIED_ACCOUNT' } },
    { kind: 'account_update DISABLED_UPDATE', at: second * 1_000, detail: banned },
  ])
})

test('alerts and the review of the account are kept on the channel, a change of the PIN on its line', async () => {
  const alert = { entity_type: 'WABA', alert_info: { alert_severity: 'WARNING', alert_type: 'INCREASED_CAPABILITIES' } }
  const earlier = { entity_type: 'BUSINESS', alert_severity: 'INFORMATIONAL', alert_type: 'OBA_APPROVED' }
  await tell('account_alerts', alert, second + 2)
  await tell('account_alerts', earlier, second + 1)
  await tell('account_review_update', { decision: 'APPROVED' })
  const pin = { display_phone_number: gateway.line.number, event: 'PIN_CHANGED', requester: '61555822107539' }
  await tell('security', pin)
  expect((await kept(gateway.channelId)).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['account_alerts INCREASED_CAPABILITIES', alert],
    ['account_alerts OBA_APPROVED', earlier],
    ['account_review_update', { decision: 'APPROVED' }],
  ])
  expect(await kept(gateway.line.id)).toEqual([{ kind: 'security PIN_CHANGED', at: second * 1_000, detail: pin }])
})

test('the quality of a line and of a template is kept on them', async () => {
  await gateway.addTemplates({ name: 'order', language: 'en_US' })
  const line = { display_phone_number: gateway.line.number, event: 'FLAGGED', current_limit: 'TIER_1K' }
  const template = { message_template_name: 'order', message_template_language: 'en-US', new_quality_score: 'RED' }
  await tell('phone_number_quality_update', line)
  await tell('message_template_quality_update', template)
  const [record] = await store().read.templatesNamed({ channelId: gateway.channelId, name: 'order' })
  expect(await kept(gateway.line.id)).toMatchObject([{ detail: line }])
  expect(await kept(record?.id ?? '')).toMatchObject([{ detail: template }])
})

test('the quality of a number whose line was removed and added again is kept on the line that is there', async () => {
  const { id: removedId, number, ...removed } = gateway.line
  await store().write.removeLine({ lineId: removedId, at: 1 })
  const id = newId('line')
  await store().write.addLine({ ...removed, id, number })
  await tell('phone_number_quality_update', { display_phone_number: number, event: 'FLAGGED' })
  expect(await kept(id)).toHaveLength(1)
  expect(await kept(removedId)).toEqual([])
})

test('who was only ever written to becomes a contact with the word that was said', async () => {
  await gateway.send({ type: 'text', phone: '+16505559999', content: 'Hello' })
  for (const [at, value] of ['stop', 'resume'].entries()) {
    const said = { wa_id: '16505559999', category: 'marketing_messages', value, timestamp: second + at }
    const contacts = [{ profile: { name: 'Ada' }, wa_id: '16505559999' }]
    expect((await tell('user_preferences', { contacts, user_preferences: [said] })).status).toBe(200)
  }
  const { json } = await gateway.get('/api/v1/public/contacts?phone=16505559999')
  expect(json.data).toMatchObject({ name: 'Ada', preferences: [{ value: 'resume' }] })
  const { json: told } = await gateway.get('/api/v1/public/events?type=contact.preference_changed')
  const contact = { id: json.data.id, phone: '+16505559999' }
  expect(told.data.map(({ data }: { data: object }) => data)).toMatchObject([
    { contact, preference: { value: 'stop' } },
    { contact, preference: { value: 'resume' } },
  ])
})

test('a user id in the place of the number, and an empty one, are as they are meant', async () => {
  const userId = 'US.13491208655302741918'
  const said = [
    { wa_id: userId, category: 'marketing_messages', value: 'stop' },
    { wa_id: '', user_id: 'US.2', category: 'marketing_messages', value: 'stop' },
  ]
  await tell('user_preferences', { user_preferences: said })
  for (const id of [userId, 'US.2']) {
    const { json } = await gateway.get(`/api/v1/public/contacts?userId=${id}`)
    expect(json.data).toMatchObject({ phone: null, userId: id, preferences: [{ value: 'stop' }] })
  }
})

test('what is about nobody is taken and not kept', async () => {
  expect((await tell('user_preferences', { user_preferences: ['x', null, {}] })).status).toBe(200)
  expect(await kept(gateway.channelId)).toEqual([])
})

test('of an update that is too long the beginning is kept', async () => {
  await tell('account_update', { event: 'DISABLED_UPDATE', more: 'x'.repeat(9_000) })
  const detail = { cut: expect.stringMatching(/^.{2048}$/), characters: expect.any(Number) }
  expect(await kept(gateway.channelId)).toMatchObject([{ kind: 'account_update DISABLED_UPDATE', detail }])
})

const alerts = async () =>
  (await gateway.get('/api/v1/public/events?type=channel.alert')).json.data.map(
    ({ data }: { data: { line: { id: string } | null; alert: object } }) => [data.line?.id ?? null, data.alert],
  )

test('capabilities of the account and the name of a line are kept on them, and told as they came', async () => {
  const capabilities = { max_daily_conversations_per_business: 'TIER_2K', max_phone_numbers_per_waba: 25 }
  const solution = { event: 'SOLUTION_CREATED', solution_id: '774485461512159', solution_status: 'ACTIVE' }
  const name = { display_phone_number: gateway.line.number.slice(1), decision: 'REJECTED', rejection_reason: 'UNKNOWN' }
  await tell('business_capability_update', capabilities)
  await tell('phone_number_name_update', name)
  // Its entry names a business in place of an account.
  const ofBusiness = { ...callbackOf([{ field: 'partner_solutions', value: solution }]), object: 'x' }
  const entry = [{ ...ofBusiness.entry[0], id: '506914307656634', time: second }]
  const address = `${gateway.gateway.url}/callbacks/channel/${gateway.channelId}`
  await postCallback(address, { ...ofBusiness, entry }, gateway.appSecret)
  expect(await alerts()).toEqual([
    [null, { kind: 'business_capability_update', detail: capabilities }],
    [gateway.line.id, { kind: 'phone_number_name_update', detail: name }],
    [null, { kind: 'partner_solutions SOLUTION_CREATED', detail: solution }],
  ])
  expect((await kept(gateway.line.id)).map(({ kind }) => kind)).toEqual(['phone_number_name_update'])
})

test('what may be about people is named, with its event and line, and nothing of it is kept', async () => {
  const line = { phone_number_id: gateway.line.upstreamPhoneId }
  const from = '4915112345678'
  const call = { id: 'wacid.1', from, event: 'connect', session: { sdp: 'v=0' } }
  const message = { id: 'wamid.standby', from, timestamp: String(second), type: 'text', text: { body: 'Hi' } }
  await tell('calls', { metadata: line, calls: [call] })
  await tell('standby', { metadata: line, messages: [message], contacts: [{ wa_id: from }] })
  await tell('messaging_handovers', { type: 'control_passed', sender: { phone_number: from }, recipient: line })
  await tell('group_status_update', { event: 'SUSPENDED', metadata: { phone_number_id: '7' } })
  await tell('a_field_of_tomorrow', { about: from })
  expect(await alerts()).toEqual([
    [gateway.line.id, { kind: 'calls connect', detail: {} }],
    [gateway.line.id, { kind: 'standby', detail: {} }],
    [gateway.line.id, { kind: 'messaging_handovers control_passed', detail: {} }],
    [null, { kind: 'group_status_update SUSPENDED', detail: {} }],
    [null, { kind: 'a_field_of_tomorrow', detail: {} }],
  ])
  expect((await kept(gateway.line.id)).map(({ kind }) => kind).sort()).toEqual([
    'calls connect',
    'messaging_handovers control_passed',
    'standby',
  ])
  expect((await gateway.get('/api/v1/public/inbound')).json.data).toEqual([])
})

test('a change of components or category is kept on the template', async () => {
  await gateway.addTemplates({ name: 'order', language: 'en_US' })
  const template = { message_template_name: 'order', message_template_language: 'en-US' }
  const category = { ...template, category: 'UTILITY', correct_category: 'MARKETING' }
  await tell('message_template_components_update', { ...template, message_template_element: 'Hello' })
  await tell('template_correct_category_detection', category)
  const [record] = await store().read.templatesNamed({ channelId: gateway.channelId, name: 'order' })
  expect((await kept(record?.id ?? '')).map(({ kind }) => kind).sort()).toEqual([
    'message_template_components_update',
    'template_correct_category_detection',
  ])
})

test('a user id that changes stays with its contact, and one that cannot be read costs nothing else', async () => {
  const [previous, current] = ['US.13491208655302741918', 'US.2']
  const id = newId('contact')
  const made = { workspaceId: gateway.workspaceId, phone: null, name: null, createdAt: 1, updatedAt: 1 }
  await store().write.saveContact({ ...made, id, userId: previous })
  const value = {
    ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: gateway.line.upstreamPhoneId } },
    contacts: [{ profile: { name: 'Ada', username: 'ada' }, wa_id: '16505557777' }],
    user_id_update: [
      { detail: 'User id was changed', user_id: { previous, current }, timestamp: String(second) },
      ...['x', null, {}, { user_id: { previous } }, { user_id: { current: 7, previous } }],
    ],
  }
  for (const _ of ['once', 'again']) expect((await tell('user_id_update', value)).status).toBe(200)
  expect(await store().read.contactById(id)).toMatchObject({ id, phone: null, userId: current, username: null })
  await tell('user_id_update', { ...value, user_id_update: [{ user_id: { previous: current, current: 'US.3' } }] })
  const known = { id, phone: '+16505557777', userId: 'US.3', name: 'Ada', username: 'ada' }
  expect(await store().read.contactById(id)).toMatchObject(known)
})

test('a rejection of a template is told with its reason, and with what the platform recommends', async () => {
  const at = second * 1_000 - 60_000
  const known = template({ channelId: gateway.channelId, updatedAt: at })
  await store().write.replaceTemplates({ channelId: gateway.channelId, templates: [known], at, recordedAt: at })
  const recommendation = 'Add an example of each variable.'
  await tell('message_template_status_update', {
    event: 'REJECTED',
    message_template_id: 1,
    message_template_name: known.name,
    message_template_language: known.language,
    reason: 'INVALID_FORMAT',
    rejection_info: { reason: 'A variable has no example.', recommendation },
  })
  const { json } = await gateway.get('/api/v1/public/events?type=template.updated')
  expect(json.data.map(({ data }: { data: object }) => data)).toEqual([
    expect.objectContaining({ reason: 'INVALID_FORMAT', recommendation, previous: expect.anything() }),
  ])
})

test('what one callback tells of a template counts in its order, also within one second', async () => {
  const [name, language] = ['offer', 'en_US']
  const { channelId } = gateway
  const template = {
    ...{ id: newId('tpl'), channelId, upstreamId: '1', name, language, category: 'UTILITY', status: 'APPROVED' },
    ...{ parameterFormat: '', components: '[]', updatedAt: 1, lastUpdateAt: null },
  }
  await store().write.recordTemplate({ template, action: 'create' })
  const values = ['PENDING', 'APPROVED', 'REJECTED', 'APPROVED', 'DISABLED', 'APPROVED', 'PENDING', 'PAUSED'].map(
    event => ({ event, message_template_name: name, message_template_language: language }),
  )
  const told = callbackOf(
    values.map(value => ({ field: 'message_template_status_update', value })),
    { time: second },
  )
  const url = `${gateway.gateway.url}/callbacks/channel/${channelId}`
  expect((await postCallback(url, told, gateway.appSecret)).status).toBe(200)
  expect(await store().read.templatesNamed({ channelId, name })).toMatchObject([{ status: 'PAUSED' }])
})
