import { beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { type UserRole, userRoles } from '../../db/contract/roles.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { png } from '../partner/dropIn/graphClient.ts'
import { accessTable } from './access.ts'
import { addPerson, type Person } from './people.ts'

/*
 * A sign-in that was ended, or a role that was lowered, while a body comes, changes nothing more. By then the guard has
 * let the request through.
 */

const gateway = sharedFixture(startTestGateway)
let owner: Person
beforeAll(async () => {
  owner = await addPerson(gateway, 'owner')
})

const routes = Object.entries(accessTable)
  .map(([route, access]) => ({ route, access, isFile: route.endsWith('/:workspaceId/media') }))
  .filter(({ route, access }) => !route.startsWith('GET ') && access !== 'open')
type Route = (typeof routes)[number]

const form = [
  '--b\r\nContent-Disposition: form-data; name="file"; filename="box.png"\r\nContent-Type: image/png\r\n\r\n',
  png,
  '\r\n--b--\r\n',
]
const item = { type: 'text', phone: '+15550100200', content: 'Hello' }
/** Bodies that would be taken; a route that wants another one refuses `{}` with 400, or finds nothing. */
const taken: Readonly<Record<string, object>> = {
  'POST /api/v1/workspaces': { name: 'Acme Two' },
  'POST /api/v1/workspaces/:workspaceId/webhooks': { url: 'https://shop.example.com/hook' },
  'PUT /api/v1/workspaces/:workspaceId/settings/name': { name: 'Acme Three' },
  'POST /api/v1/workspaces/:workspaceId/campaigns': { idempotencyKey: 'news', state: 'draft', items: [item] },
  'POST /api/v1/workspaces/:workspaceId/campaigns/:batchId/items': { offset: 1, items: [item] },
}
const bodyOf = ({ route, isFile }: Route) =>
  isFile ? Buffer.concat(form.map(part => Buffer.from(part))) : Buffer.from(JSON.stringify(taken[route] ?? {}))

const exampleQuery = () => `?phoneNumberId=${gateway.line.id}&kind=image&fileName=box.png`

/** Begins a request; the answer comes once its last byte is sent. */
async function begin(person: Person, route: Route) {
  const [method, path = ''] = route.route.split(' ')
  const query = path.endsWith('/template-examples') ? exampleQuery() : ''
  const bytes = bodyOf(route)
  const head = [
    `${method} ${path.replace(':workspaceId', gateway.workspaceId).replaceAll(/:\w+/g, 'none')}${query} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${person.accessToken}`,
    `Content-Type: ${route.isFile ? 'multipart/form-data; boundary=b' : 'application/json'}`,
    `Content-Length: ${bytes.length}`,
  ].join('\r\n')
  const { promise: answered, resolve } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(gateway.url)
  const data = (_: unknown, answer: Buffer) => resolve(answer.toString())
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes.subarray(0, -1)]))
  return async () => {
    socket.write(bytes.subarray(-1))
    const [, status = ''] = (await answered).split(' ')
    socket.end()
    return `${route.route}: ${status}`
  }
}

/** Begins them all, lets `change` happen once the guard has let them through, and ends their bodies. */
async function answersOf(person: Person, asked: readonly Route[], change: () => Promise<unknown>): Promise<string[]> {
  const { read } = gateway.gateway.store
  const ofMembers = asked.filter(({ route }) => route.includes(':workspaceId'))
  const guards = [
    { look: spyOn(read, 'user'), count: asked.length },
    { look: spyOn(read, 'roleIn'), count: ofMembers.length },
  ]
  const ends = await Promise.all(asked.map(route => begin(person, route)))
  await eventually(() => {
    for (const { look, count } of guards) expect(look.mock.results).toHaveLength(count)
  })
  await Promise.all(guards.flatMap(({ look }) => look.mock.results.map(({ value }) => value)))
  for (const { look } of guards) look.mockRestore()
  await change()
  return Promise.all(ends.map(end => end()))
}

const refused = (asked: readonly Route[], status: number) => asked.map(({ route }) => `${route}: ${status}`)

/** What the audit keeps is every change. */
const changes = async () => (await owner.call(`/api/v1/workspaces/${gateway.workspaceId}/audit`)).json.entries

test('401 UNAUTHORIZED: of a sign-in that is ended while their bodies come, all routes', async () => {
  const person = await addPerson(gateway, 'owner')
  const before = await changes()
  const end = () => gateway.gateway.store.write.endSessions({ userId: person.id, keep: null })
  expect(await answersOf(person, routes, end)).toEqual(refused(routes, 401))
  expect(await changes()).toEqual(before)
})

describe.each(userRoles.slice(1))('403 FORBIDDEN: of a role %s that is lowered while their bodies come', needed => {
  test('all routes that need it', async () => {
    const person = await addPerson(gateway, needed)
    const asked = routes.filter(({ access }) => access === needed)
    const before = await changes()
    const role = userRoles[userRoles.indexOf(needed) - 1] as UserRole
    const { workspaceId } = gateway
    const change = { workspaceId, userId: person.id, role, byUserId: owner.id }
    const lower = () => gateway.gateway.store.write.changeRole(change)
    expect(await answersOf(person, asked, lower)).toEqual(refused(asked, 403))
    expect(await changes()).toEqual(before)
  })
})

test('while sign-in and role hold, such a body is taken as any other', async () => {
  // There is no such batch.
  const asked = routes.filter(({ route, isFile }) => (isFile || taken[route]) && !route.includes(':batchId'))
  const answers = await answersOf(owner, asked, async () => {})
  expect(answers.map(answer => answer.slice(-3))).toEqual(Array(asked.length).fill('200'))
})
