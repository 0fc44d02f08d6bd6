import { beforeAll, describe, expect, test } from 'bun:test'
import { type UserRole, userRoles } from '../../db/contract/roles.ts'
import { createVault } from '../../src/base/crypto.ts'
import { accessField } from '../../src/console/guard.ts'
import { type ConsoleSettings, consoleParts } from '../../src/console/parts.ts'
import { consoleRoutes } from '../../src/console/routes.ts'
import { createPeers } from '../../src/http/peer.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, startTestGateway, type Tenant } from '../gateway.ts'
import { accessTable } from './access.ts'
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
  const given = { store, clock: new ManualClock(), log: silentLogger, peers, publicUrl: null, vault }
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
      { id: gateway.line.id, number: '+15550783881', channelId: gateway.channelId, active: true, isDefault: false },
    ],
  })
  expect(answer?.headers.get('cache-control')).toBe('no-store')
  expect(answer?.headers.get('x-request-id')).toBeString()
})
