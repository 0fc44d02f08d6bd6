import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { ManualClock } from '../clock.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { png, takingFiles } from '../partner/dropIn/graphClient.ts'
import { draft } from '../templates/authoring/drafts.ts'
import { graphError } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

/*
 * Somebody whose sign-in was ended, or whose role was lowered, while a stranger was asked on their behalf, changes
 * nothing more. What a stranger has done for them by then is kept, with their name in the audit.
 */

const clock = new ManualClock(Date.now())
const allowed = { MEDIA_ALLOWED_NETWORKS: '127.0.0.1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }
const gateway = sharedFixture(() => startTestGateway({ clock, env: allowed }))
const phone = '+4915112345678'

/** What answers for the platform, for receivers and for the host of a file: at once, or when the test says so. */
let stranger: ReturnType<typeof Bun.serve>
let asked: string[]
let mayAnswer: Promise<void>
let letAnswer: () => void
let owner: Person
let webhookId = ''
let contactId = ''
const [pictureId, editedId, removedId] = [newId('tpl'), newId('tpl'), newId('tpl')]
/** Of a channel whose templates no other test reads. */
let listedLineId = ''

const slowly = async <Answer>(path: string, answer: Answer): Promise<Answer> => {
  asked.push(path)
  await mayAnswer
  return answer
}
const at = (path: string) => `http://127.0.0.1:${stranger.port}${path}`
const picture = () => at(`/${newId('media')}.png`)
const path = (rest: string) => `/api/v1/workspaces/${gateway.workspaceId}/${rest}`

const secrets = { accessToken: 'new-token', appSecret: 'new-secret' }
const listed = '100009'
const listedTemplate = {
  id: '904',
  name: 'listed',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [],
}
/** The account of the stand-in, which is asked for as the others are. */
const standIn = { accountId: '300003', accessToken: 'token', appSecret: 'secret', appId: '7', lines: [] }
const numbers = { data: [{ id: '5550001', display_phone_number: '+1 555 010 0500', verified_name: 'Acme' }] }
const platform: typeof gateway.upstream.answer = request => {
  if (request.path === '/sandbox') return Response.json(standIn)
  if (request.path.includes('/phone_numbers')) return Response.json(numbers)
  if (request.path.includes('/uploads')) return Response.json({ id: 'upload:1' })
  if (request.path.includes('upload:1')) return Response.json({ h: 'handle' })
  if (request.path.endsWith('/902')) return Response.json({ success: true })
  if (request.path.includes('/message_templates'))
    return Response.json({ id: '900', status: 'PENDING', category: 'UTILITY', success: true })
  return takingFiles('88')(request)
}

beforeAll(async () => {
  stranger = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const file = new Response(png, { headers: { 'content-type': 'image/png' } })
      return slowly(pathname, pathname.endsWith('.png') ? file : new Response(searchParams.get('hub.challenge')))
    },
  })
  stranger.unref()
  mayAnswer = Promise.resolve()
  asked = []
  gateway.upstream.answer = platform
  owner = await addPerson(gateway, 'owner')
  const { store } = gateway.gateway
  const { workspaceId, channelId } = gateway
  const { upstreamPhoneId } = gateway.line
  const components = JSON.stringify([
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://shop.example.com/box.png'] } },
    { type: 'BODY', text: 'Hello' },
  ])
  await gateway.addTemplates(
    { id: pictureId, name: 'picture', upstreamId: '901', components },
    { id: editedId, name: draft().name, upstreamId: '902', status: 'REJECTED' },
    { id: removedId, name: 'removed', upstreamId: '903' },
  )
  const listedId = newId('chan')
  const sealed = gateway.gateway.credentials.seal(listedId, { ...secrets, verifyToken: 'verify-token' })
  const [createdAt, updatedAt] = [clock.now(), clock.now()]
  await store.write.connectChannel({ id: listedId, workspaceId, accountId: listed, ...sealed, createdAt, updatedAt })
  listedLineId = (await gateway.addLine({ channelId: listedId })).id
  await store.write.setAppId({ channelId, appId: '7', at: clock.now() })
  const from = { phone, userId: null, name: 'Ada', newContactId: newId('contact') }
  const written = inbound({ channelMessageId: 'wamid.user', from, at: clock.now(), upstreamPhoneId })
  await store.write.recordInbound({ channelId, messages: [written], recordedAt: clock.now() })
  contactId = from.newContactId
  const added = await owner.call(path('webhooks'), { body: { url: at('/known'), format: 'platform' } })
  webhookId = added.json.id
  await store.write.changeWebhook({ endpointId: webhookId, isOn: false, at: clock.now() })
  expect((await store.read.webhooks(workspaceId)).map(({ id }) => id)).toEqual([webhookId])
})

beforeEach(() => {
  asked = []
  ;({ promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>())
  gateway.upstream.answer = async request => slowly(request.path, await platform(request))
  gateway.upstream.listing = ({ path }) =>
    path.includes(listed) ? slowly(path, Response.json({ data: [listedTemplate] })) : graphError(503, { code: 131016 })
})
afterEach(() => letAnswer())

/** Everything that a route could have changed. */
async function state() {
  const { read } = gateway.gateway.store
  const { workspaceId } = gateway
  return {
    channels: await read.channels(workspaceId),
    webhooks: await read.webhooks(workspaceId),
    templates: await read.templates({ workspaceId, approved: false }),
    messages: await gateway.messages(),
  }
}

interface Asked {
  readonly body?: object
  readonly file?: Uint8Array
}
const lineId = () => gateway.line.id
const webhook = { description: null, events: null, lineIds: null }

/** What is still to be done once a stranger has answered. Sending again goes the way of the other two sends. */
const behindStrangers: Readonly<Record<string, () => Asked | Promise<Asked>>> = {
  'POST channels': () => ({ body: { accountId: '200002', ...secrets, addLines: true } }),
  'PATCH channels/:channelId': () => ({ body: secrets }),
  'POST setup/sandbox': () => ({}),
  'POST templates/sync': () => ({ body: { phoneNumberId: listedLineId } }),
  'POST webhooks': () => ({ body: { url: at('/new'), format: 'platform' } }),
  'PUT webhooks/:webhookId': () => ({ body: { ...webhook, url: at('/moved') } }),
  'POST contacts/:contactId/messages': () => ({
    body: { idempotencyKey: newId('msg'), phoneNumberId: lineId(), message: { type: 'image', link: picture() } },
  }),
  'POST templates/:templateId/test': () => ({
    body: {
      idempotencyKey: newId('msg'),
      phoneNumberId: lineId(),
      phone,
      values: { templateVariables: { header_link: picture() } },
    },
  }),
}

/** What the platform has done by the time it answers, and what the audit says of it. */
const atPlatform: Readonly<Record<string, { readonly asked: () => Asked; readonly action: string }>> = {
  'POST templates': {
    asked: () => ({ body: { phoneNumberId: lineId(), draft: draft({ name: 'made' }) } }),
    action: 'template.create',
  },
  'PUT templates/:editedId': { asked: () => ({ body: { draft: draft() } }), action: 'template.edit' },
  'DELETE templates/:removedId?languages=one': { asked: () => ({}), action: 'template.delete' },
  'POST template-examples?kind=image&fileName=box.png&phoneNumberId=:lineId': {
    asked: () => ({ file: png }),
    action: 'template.upload-example',
  },
}

/** Begins a request, whose body the guard has taken. */
function begin(person: Person, route: string, { body, file }: Asked): Promise<{ readonly status: number }> {
  const [method = '', rest = ''] = route.split(' ')
  const { channelId } = gateway
  const ids: Record<string, string> = {
    ...{ channelId, webhookId, contactId, lineId: lineId() },
    ...{ templateId: pictureId, editedId, removedId },
  }
  const named = path(rest.replaceAll(/:(\w+)/g, (_, name) => ids[name] ?? ''))
  if (!file) return person.call(named, { method, ...(body && { body }) })
  const headers = { authorization: `Bearer ${person.accessToken}`, 'content-type': 'application/octet-stream' }
  return fetch(gateway.url + named, { method, headers, body: new Uint8Array(file) })
}

/** Each loses what a route needs: the sign-in, or the role. */
const losses = {
  '401: whose sign-in is ended': async ({ id }: Person) => {
    await gateway.gateway.store.write.endSessions({ userId: id, keep: null })
  },
  '403: whose role is lowered': async ({ id }: Person) => {
    const { workspaceId } = gateway
    await gateway.gateway.store.write.changeRole({ workspaceId, userId: id, role: 'viewer', byUserId: owner.id })
  },
}

describe.each(Object.entries(losses))('%s while a stranger is asked', (loss, lose) => {
  test.each(Object.entries(behindStrangers))('%s', async (route, of) => {
    const person = await addPerson(gateway, 'owner')
    const wanted = await of()
    const before = await state()
    const answer = begin(person, route, wanted)
    await eventually(() => expect(asked).toHaveLength(1))
    await lose(person)
    letAnswer()
    expect((await answer).status).toBe(Number(loss.slice(0, 3)))
    expect(await state()).toEqual(before)
    expect(await auditedOf(person)).toEqual([])
  })
})

test.each(Object.entries(atPlatform))('what the platform has done for somebody is kept: %s', async (route, of) => {
  const person = await addPerson(gateway, 'owner')
  const answer = begin(person, route, of.asked())
  await eventually(() => expect(asked).toHaveLength(1))
  await gateway.gateway.store.write.endSessions({ userId: person.id, keep: null })
  letAnswer()
  expect((await answer).status).toBe(200)
  expect(await auditedOf(person)).toEqual([of.action])
})

/** What somebody did in the workspace. */
async function auditedOf({ email }: Person): Promise<readonly string[]> {
  const { workspaceId } = gateway
  const entries = await gateway.gateway.store.read.auditEntries({ workspaceId, actor: `console:${email}`, limit: 10 })
  return entries.map(({ action }) => action).filter(action => !action.startsWith('session.'))
}
