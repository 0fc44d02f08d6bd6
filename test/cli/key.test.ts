import { afterAll, beforeEach, expect, test } from 'bun:test'
import { gatewayBusyMs } from '../../db/sqlite/busy.ts'
import { openForWriting } from '../../db/sqlite/open.ts'
import { dayMs } from '../../src/base/durations.ts'
import { timestamp } from '../timestamp.ts'
import { connected, Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

interface Key {
  readonly apiKey: string
  readonly apiSecret: string
  readonly scope: string
  readonly expiresAt: string | null
}

let workspaceId: string
beforeEach(async () => {
  workspaceId = (await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])).id
})

const create = (...rest: string[]) => ['key', 'create', '--workspace', workspaceId, ...rest]
const list = () => deployment.json<Key[]>(['key', 'list', '--workspace', workspaceId])
const daysFromNow = (text: string | null) => (Date.parse(text ?? '') - Date.now()) / dayMs

test('a key is made with its end and its networks, which change later', async () => {
  const networks = ['203.0.113.0/24', '2001:db8::/48', '198.51.100.7']
  const made = await deployment.json<Key>(
    create(
      '--label',
      'production',
      '--expires',
      '90d',
      '--allow',
      `${networks[0]},${networks[1]}`,
      '--allow',
      '198.51.100.7',
    ),
  )
  expect(made).toMatchObject({ label: 'production', allowedNetworks: networks })
  expect(daysFromNow(made.expiresAt)).toBeCloseTo(90, 1)

  const limit = ['key', 'limit', made.apiKey]
  const limited = await deployment.json(['key', 'limit', made.apiKey, '--expires', '2030-01-31'])
  expect(limited).toMatchObject({ expiresAt: '2030-01-31T00:00:00.000Z', allowedNetworks: networks })
  expect(await deployment.json([...limit, '--allow', '192.0.2.1'])).toMatchObject({
    expiresAt: '2030-01-31T00:00:00.000Z',
    allowedNetworks: ['192.0.2.1'],
  })
  const free = await deployment.json([...limit, '--expires', 'never', '--allow-any'])
  expect(free).toMatchObject({ expiresAt: null, allowedNetworks: null })
  expectRefusal(await deployment.run(limit), 2, 'Missing: --expires <date|duration> or --allow <cidr> or --allow-any')
})

test('a key is made with scopes, and with everything without them', async () => {
  const made = await deployment.json<Key>(create('--scopes', 'messages:send,messages:read', '--scopes', 'media'))
  expect(made).toMatchObject({ scopes: ['messages:send', 'messages:read', 'media'] })
  expect(await deployment.json(create())).toMatchObject({ scopes: null })
  const { stdout } = await deployment.run(['key', 'list', '--workspace', workspaceId])
  expect(stdout).toMatch(/messages:send messages:read media/)
  expectRefusal(await deployment.run(create('--scopes', 'send')), 2, 'It must be of messages:send, messages:read')
})

test('a key for existing clients comes with its token, as its successor does, and no other key has one', async () => {
  const key = await deployment.json<Key & { graphToken: string }>(create('--scopes', 'graph,messages:send'))
  expect(key.graphToken).toBe(`wp_${key.apiKey.slice(3)}_${key.apiSecret.slice(3)}`)
  const successor = await deployment.json<Key & { graphToken: string }>(['key', 'rotate', key.apiKey])
  expect(successor.graphToken).toBe(`wp_${successor.apiKey.slice(3)}_${successor.apiSecret.slice(3)}`)
  expect((await deployment.run(create('--scopes', 'graph,messages:send'))).stdout).toMatch(/graphToken +wp_/)
  expect(await deployment.json(create())).not.toHaveProperty('graphToken')
})

test('a key is made for lines, and for all without them', async () => {
  const { workspaceId: owner, lineId } = await connected(deployment)
  const made = ['key', 'create', '--workspace', owner, '--lines']
  const key = await deployment.json<Key & { lineIds: string[] }>([...made, lineId])
  expect(key.lineIds).toEqual([lineId])
  expect(await deployment.json(['key', 'rotate', key.apiKey])).toMatchObject({ lineIds: [lineId] })
  expect((await deployment.run([...made, lineId])).stdout).toContain(lineId)
  expect((await deployment.run(['key', 'list', '--workspace', owner])).stdout).toContain(lineId)
  expectRefusal(await deployment.run([...made, 'line_none']), 2, 'ne of the lines is none of this workspace')
  const both = await deployment.run([...made, lineId, '--scopes', 'webhooks'])
  expectRefusal(both, 2, 'key that is limited to lines cannot have the scope webhooks')
  expectRefusal(await deployment.run([...made, '']), 2, 'It must be an id')
})

test('an end that is past or no time, and a network that is none, are wrong use', async () => {
  const rows: [args: string[], says: string][] = [
    [create('--expires', '2020-01-01'), 'a future time'],
    [create('--expires', '0'), 'a future time'],
    [create('--expires', '2030-13-01'), 'a future time'],
    [create('--expires', 'tomorrow'), 'a future time'],
    [create('--expires', '4000d'), 'a future time'],
    [create('--allow', '203.0.113.0/33'), 'an address or a network'],
    [create('--allow', 'example.com'), 'an address or a network'],
    [create('--allow', ''), 'an address or a network'],
    [['key', 'rotate', 'pk_x', '--grace', '1'], 'a duration'],
    [['key', 'rotate', 'pk_x', '--grace', '9999999999999w'], 'a duration'],
    [['key', 'rotate', 'pk_x', '--grace', '91d'], 'at most 90 days'],
  ]
  const ended = await Promise.all(rows.map(([args]) => deployment.run(args)))
  for (const [at, [, says]] of rows.entries()) expectRefusal(ended[at], 2, says)
  expect(await list()).toEqual([])
})

test('rotate makes a successor in the same scope with the same limits, and gives the old key its end', async () => {
  const old = await deployment.json<Key>(create('--label', 'production', '--allow', '203.0.113.0/24'))
  const next = await deployment.json<Key & { former: Key }>(['key', 'rotate', old.apiKey])
  expect(next.apiKey).not.toBe(old.apiKey)
  expect(daysFromNow(next.former.expiresAt)).toBeCloseTo(1, 1)
  // A copy: toMatchObject puts its matchers in the place of what they match.
  expect(structuredClone(next)).toMatchObject({
    ...{ apiKey: expect.stringMatching(/^pk_/), apiSecret: expect.stringMatching(/^sk_/), scope: old.apiKey },
    ...{ label: 'production', allowedNetworks: ['203.0.113.0/24'], expiresAt: null, revokedAt: null },
    former: { apiKey: old.apiKey, expiresAt: timestamp },
  })

  const hurried = await deployment.json<Key & { former: Key }>(['key', 'rotate', next.apiKey, '--grace', '0'])
  expect(hurried.scope).toBe(old.apiKey)
  expect(daysFromNow(hurried.former.expiresAt)).toBeLessThanOrEqual(0)
  expectRefusal(await deployment.run(['key', 'rotate', next.apiKey]), 1, 'has expired and has no successor')
  await deployment.json(['key', 'revoke', hurried.apiKey])
  expectRefusal(await deployment.run(['key', 'rotate', hurried.apiKey]), 1, 'is revoked and has no successor')
  expectRefusal(await deployment.run(['key', 'rotate', 'pk_none']), 1, 'No API key has this id: pk_none')

  const { stdout } = await deployment.run(['key', 'rotate', old.apiKey, '--grace', '2h', '--expires', '30d'])
  expect(stdout).toContain('API key rotated')
  expect(stdout).toMatch(/works until +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)/)
})

test('list shows age, last use, end and networks, and says which key is old', async () => {
  const { apiKey } = await deployment.json<Key>(create('--label', 'new', '--allow', '203.0.113.0/24'))
  const at = Date.UTC(2026, 0, 5, 12, 30, 15)
  await deployment.withStore(async store => {
    await store.write.recordKeyUse({ uses: [{ keyId: apiKey, at }] })
    const secretHash = 'x'.repeat(64)
    const createdAt = Date.now() - 100.5 * dayMs
    await store.write.createKey({ id: 'pk_old', workspaceId, label: 'old', createdAt, secretHash })
  })
  expect(await list()).toContainEqual(expect.objectContaining({ apiKey, lastUsedAt: '2026-01-05T12:30:15.000Z' }))
  const { stdout } = await deployment.run(['key', 'list', '--workspace', workspaceId])
  expect(stdout).toMatch(new RegExp(`${apiKey} +new +0 +2026-01-05 12:30:15 +never +203.0.113.0/24`))
  expect(stdout).toMatch(/pk_old +old +100 +never +never +any/)
  expect(stdout).toContain('Keys should be changed every 90 days: waypost key rotate pk_old')
})

test('while another process writes for long, a command waits for longer than a gateway does, and says so', async () => {
  const { client } = openForWriting(deployment.databasePath)
  client.run('BEGIN IMMEDIATE')
  const making = deployment.run([...create(), '--json'])
  await Bun.sleep(gatewayBusyMs + 1_000)
  client.run('COMMIT')
  client.close()
  const { code, stdout, stderr } = await making
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ apiKey: expect.stringMatching(/^pk_/) })
  expect(stderr.match(/Waiting for the database/g)).toHaveLength(1)
})
