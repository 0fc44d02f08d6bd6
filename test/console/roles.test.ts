import { beforeAll, describe, expect, test } from 'bun:test'
import { type UserRole, userRoles } from '../../db/contract/roles.ts'
import { createVault } from '../../src/base/crypto.ts'
import { numberedId } from '../../src/base/ids.ts'
import { accessField } from '../../src/console/guard.ts'
import { type ConsoleSettings, consoleParts } from '../../src/console/parts.ts'
import { consoleRoutes } from '../../src/console/routes.ts'
import { createPeers } from '../../src/http/peer.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { accepted, apiRequest, draft, inbound, requestBlocks, template } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, startTestGateway, type Tenant } from '../gateway.ts'
import { accessTable, takenBodies, takenQueries } from './access.ts'
import { addPerson, call, type Person } from './people.ts'

let other: Tenant
let stranger: Person
const people = new Map<UserRole, Person>()
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  other = await gateway.addWorkspace()
  stranger = await addPerson(gateway, 'owner', other.workspaceId)
  for (const role of userRoles) people.set(role, await addPerson(gateway, role))
})

const routes = Object.entries(accessTable).map(([route, access]) => {
  const [method = '', path = ''] = route.split(' ')
  return { route, method, path, access }
})
const guarded = routes.filter(({ access }) => access !== 'open').map(row => [row.route, row] as const)
const ofWorkspaces = routes.flatMap(row =>
  userRoles.filter(role => role === row.access).map(needed => [row.route, { ...row, needed }] as const),
)

/** The path with the first workspace in it; what else it names does not exist. */
const pathOf = (path: string, workspaceId = gateway.workspaceId) =>
  path.replace(':workspaceId', workspaceId).replaceAll(/:\w+/g, 'none')

const shown = ({ status, json }: Answer) => `${status} ${json?.error}`

test('every internal route has its line in the table, with what it demands', () => {
  const { store } = gateway.gateway
  const peers = createPeers({ trustProxy: [], publicUrl: null, log: silentLogger })
  const vault = createVault('a key of enough characters')
  // The rest is needed by handlers, which do not run here.
  const config = { ownerWorkspacesMax: 0 }
  const given = { store, clock: new ManualClock(), log: silentLogger, peers, publicUrl: null, vault, config }
  const parts = given as unknown as ConsoleSettings
  const composed = consoleRoutes(consoleParts(parts)).routes.map(({ method, path, hooks }) => [
    `${method} ${path}`,
    hooks.detail[accessField],
  ])
  expect(Object.fromEntries(composed)).toEqual(accessTable)
})

describe('401 UNAUTHORIZED', () => {
  const [header, payload] = ['{"alg":"none"}', '{"sub":"user_1"}'].map(text => Buffer.from(text).toString('base64url'))
  const credentials: readonly [name: string, headers: () => Record<string, string>][] = [
    ['no token', () => ({})],
    ['an API key in place of a token', () => ({ authorization: `Bearer ${gateway.key.apiSecret}` })],
    ['the headers of an API key', () => ({ ...gateway.key })],
    ['a token that is cut short', () => ({ authorization: `Bearer ${people.get('owner')?.accessToken.slice(0, -1)}` })],
    ['a token without a signature', () => ({ authorization: `Bearer ${header}.${payload}.` })],
    ['the cookies alone', () => ({ cookie: people.get('owner')?.cookie ?? '' })],
  ]
  test.each(credentials)('with %s no internal route is open, before the body is read', async (_, headers) => {
    for (const [route, { method, path }] of guarded) {
      const answer = await call(gateway, pathOf(path), { method, headers: headers() })
      expect([route, shown(answer)]).toEqual([route, '401 UNAUTHORIZED'])
    }
  })
})

test('404 NOT_FOUND: to every route, a workspace of others looks like one that does not exist', async () => {
  for (const [route, { method, path }] of ofWorkspaces) {
    const ofOthers = await stranger.call(pathOf(path), { method })
    const ofNobody = await stranger.call(pathOf(path, 'ws_none'), { method })
    expect([route, shown(ofOthers)]).toEqual([route, '404 NOT_FOUND'])
    expect([route, ofOthers.text]).toEqual([route, ofNobody.text])
    expect(ofOthers.json.message).toBe('No such workspace.')
  }
})

describe('404 NOT_FOUND: what another workspace has looks like what does not exist', () => {
  const ofThings = ofWorkspaces
    .map(([route, { method, path }]) => ({ route, method, rest: path.replace('/api/v1/workspaces/:workspaceId/', '') }))
    .filter(({ rest }) => /:(?!month)/.test(rest))
  const fill = (rest: string, ids: Readonly<Record<string, string>>) =>
    rest.replaceAll(/:(\w+)/g, (_, name) => ids[name] ?? 'none')
  const own = (rest: string) => `/api/v1/workspaces/${gateway.workspaceId}/${rest}`
  const theirs = (rest: string) => `/api/v1/workspaces/${other.workspaceId}/${rest}`
  /** All that the stranger's workspace has, as its owner sees it. */
  const shownToThem = async () => {
    // What asks the upstream or has no end, and what is of the whole gateway.
    const left = /\/(check|events|gateway)$/
    const reads = ofWorkspaces.filter(([, { method, path }]) => method === 'GET' && !left.test(path))
    const paths = reads.map(([, { path }]) => fill(path.replace(':workspaceId', other.workspaceId), ids))
    return Promise.all(paths.map(async path => [path, (await stranger.call(path)).text] as const))
  }
  let ids: Record<string, string>
  beforeAll(async () => {
    const { workspaceId, channelId, line, key } = other
    const { write, read } = gateway.gateway.store
    const now = Date.now()
    await write.replaceTemplates({ channelId, templates: [template({ channelId })], at: now, recordedAt: now })
    const guest = { email: 'guest@example.com', role: 'member' }
    const { json: invitation } = await stranger.call(theirs('invitations'), { body: guest })
    const file = { id: 'media_theirs', upstreamId: '7', sha256: null, mimeType: null, fileName: null }
    const { upstreamPhoneId } = line
    await write.recordInbound({ channelId, messages: [inbound({ upstreamPhoneId, file })], recordedAt: now })
    const messageId = 'msg_theirs'
    await write.acceptMessage(draft({ id: messageId, workspaceId, channelId, lineId: line.id, createdAt: now }))
    await write.recordEvent(accepted(messageId))
    await write.recordApiRequests(requestBlocks([apiRequest({ at: now, messageId })], 'answered', workspaceId))
    const { json: calls } = await stranger.call(theirs('requests'))
    // Behind the events that are there: nothing is delivered, so that nothing changes by itself.
    const { json: hook } = await stranger.call(theirs('webhooks'), { body: { url: 'https://shop.example.com/hook' } })
    const batchId = 'batch_theirs'
    await write.createBatch({
      batch: {
        ...{ id: batchId, workspaceId, name: null, state: 'draft', keyId: null, scope: workspaceId, sendAt: null },
        ...{ idempotencyKey: null, fingerprint: null, defaults: { type: 'text' }, duplicates: 'skip', createdAt: now },
      },
      items: [{ recipient: '+4930123456', reference: null, body: { phone: '+4930123456', content: 'Hello' } }],
    })
    ids = {
      ...{ batchId, number: '0' },
      ...{ channelId, lineId: line.id, keyId: key.apiKey, userId: stranger.id, templateId: template().id, messageId },
      ...{ contactId: 'contact_1', mediaId: file.id, invitationId: invitation.id, webhookId: hook.id },
      ...{ eventId: numberedId('evt', workspaceId, 1), id: calls.requests[0].id },
    }
    expect((await read.contactById('contact_1'))?.workspaceId).toBe(workspaceId)
  })

  test('each thing that a route names is one that the other workspace has', async () => {
    const named = ofThings.flatMap(({ rest }) => [...rest.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
    expect([...new Set(named)].filter(name => ids[name] === undefined)).toEqual([])
  })

  test('whatever is asked of it, and nothing of it changes', async () => {
    const before = await shownToThem()
    for (const { method, rest } of ofThings) {
      const [body, query = ''] = [takenBodies[`${method} ${rest}`], takenQueries[`${method} ${rest}`]]
      const ask = (named: typeof ids) =>
        people.get('owner')?.call(own(fill(rest, named)) + query, { method, ...(body && { body }) })
      const [ofOthers, ofNobody] = [await ask(ids), await ask({})]
      expect([method, rest, ofOthers?.status, ofOthers?.text]).toEqual([method, rest, 404, ofNobody?.text])
    }
    expect(await shownToThem()).toEqual(before)
  })

  test('nor is it taken where a body or a query names it', async () => {
    const line = { upstreamPhoneId: '1', number: '+15550100' }
    const answers = await Promise.all([
      people.get('owner')?.call(own('lines'), { body: { ...line, channelId: other.channelId } }),
      people.get('owner')?.call(own(`templates?phoneNumberId=${other.line.id}`)),
      people.get('owner')?.call(own('templates?phoneNumberId=line_none')),
    ])
    expect(answers.map(answer => answer?.status)).toEqual([404, 404, 404])
  })
})

test.each(userRoles.slice(0, -1))('403 FORBIDDEN: %s is too low a role where a higher one is needed', async role => {
  for (const [route, { method, path, needed }] of ofWorkspaces) {
    if (userRoles.indexOf(role) >= userRoles.indexOf(needed)) continue
    const answer = await people.get(role)?.call(pathOf(path), { method })
    expect([route, answer && shown(answer)]).toEqual([route, '403 FORBIDDEN'])
  }
})

test('401 UNAUTHORIZED: a session token opens nothing of the partner API', async () => {
  const token = people.get('owner')?.accessToken ?? ''
  for (const headers of [{ authorization: `Bearer ${token}` }, { apiKey: token, apiSecret: token }]) {
    const answers = await Promise.all([
      call(gateway, '/api/v1/public/templates', { headers }),
      call(gateway, '/api/v1/public/messages/send', { headers, body: { type: 'text', phone: '+491', content: 'Hi' } }),
      call(gateway, '/api/v1/public/messages/msg_1', { headers }),
    ])
    expect(answers.map(shown)).toEqual(Array(3).fill('401 UNAUTHORIZED'))
  }
})

test('200: a viewer lists the phone numbers, of the own workspace alone', async () => {
  const answer = await people.get('viewer')?.call(pathOf('/api/v1/workspaces/:workspaceId/phone-numbers'))
  expect(answer?.json).toEqual({
    phoneNumbers: [
      {
        id: gateway.line.id,
        number: '+15550783881',
        label: null,
        channelId: gateway.channelId,
        active: true,
        isDefault: false,
      },
    ],
  })
  expect(answer?.headers.get('cache-control')).toBe('no-store')
  expect(answer?.headers.get('x-request-id')).toBeString()
})
