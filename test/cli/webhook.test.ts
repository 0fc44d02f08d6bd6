import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { hourMs } from '../../src/base/durations.ts'
import { numberedId } from '../../src/base/ids.ts'
import { vaultCheckName } from '../../src/operations/secretKey.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { notTaken, twoDeliveries } from '../webhooks/twoDeliveries.ts'
import { Deployment, expectRefusal, type Identified, seeded } from './waypost.ts'

/*
 * The words and options of the commands. What holds of endpoints through each door is in test/partner/webhooks.test.ts.
 */

const deployment = new Deployment()
afterAll(() => deployment.remove())

interface Webhook extends Identified {
  readonly url: string
  readonly events: readonly string[] | null
  readonly secret: string
}

let workspaceId: string
let lineId: string
let accounts = 0
beforeEach(async () => {
  accounts += 1
  const owner = await deployment.withStore(store => seeded(store, String(accounts)))
  workspaceId = owner.workspaceId
  lineId = owner.lineId
})

const url = 'https://shop.example.com/hook'
const add = (...rest: string[]) => ['webhook', 'add', '--workspace', workspaceId, '--url', url, ...rest]
const added = (...rest: string[]) => deployment.json<Webhook>(add(...rest))
const list = () => deployment.json<object[]>(['webhook', 'list', '--workspace', workspaceId])
const show = (id: string) => deployment.json<Record<string, unknown>>(['webhook', 'show', id])

test('an endpoint is added with its secret, which no other command shows', async () => {
  const { secret, ...rest } = await added(
    '--events',
    'message.delivered,message.received',
    '--events',
    'message.delivered',
  )
  expect(secret).toMatch(/^whsec_/)
  expect(rest).toMatchObject({ url, events: ['message.delivered', 'message.received'], state: 'untried' })
  expect(await show(rest.id)).toEqual(rest)
  expect(await list()).toEqual([rest])
  const { stdout } = await deployment.run(['webhook', 'list', '--workspace', workspaceId])
  expect(stdout).toMatch(new RegExp(`${rest.id} +${url} +nothing delivered yet +message.delivered message.received`))
  expect(stdout).not.toContain('whsec_')
  expect((await added()).events).toBeNull()
})

test('headers come by option, by file and by standard input, and are never shown', async () => {
  const path = deployment.path('headers.txt')
  writeFileSync(path, 'Authorization: Bearer of:the-shop\n\nx-tenant: 1\n')
  const ways = [
    await deployment.run(add('--header', 'Authorization: Bearer of:the-shop', '--header', 'x-tenant: 1', '--json')),
    await deployment.run(add('--headers-file', path, '--json')),
    await deployment.run(add('--headers-file', '-', '--json'), { stdin: 'Authorization: Bearer of:the-shop' }),
  ]
  for (const { stdout } of ways) {
    expect(JSON.parse(stdout)).toMatchObject({ hasHeaders: true })
    expect(stdout).not.toContain('of:the-shop')
  }
})

test('an endpoint is changed field by field, switched off and on', async () => {
  const { id } = await added('--events', 'message.read', '--line', lineId, '--header', 'x: y', '--description', 'Shop')
  const edit = (...rest: string[]) => deployment.json(['webhook', 'edit', id, ...rest])
  const before = { url, events: ['message.read'], lineIds: [lineId], hasHeaders: true, description: 'Shop' }
  const moved = ['--url', `${url}/2`, '--header', 'x: z']
  expect(await edit(...moved)).toMatchObject({ ...before, url: `${url}/2`, hasDroppedHeaders: false })
  expect(await edit('--off')).toMatchObject({ ...before, url: `${url}/2`, state: 'off', disabledReason: 'switchedOff' })
  expect(await edit('--on', '--all-events', '--all-lines', '--without-headers', '--without-description')).toMatchObject(
    { state: 'untried', events: null, lineIds: null, hasHeaders: false, description: null },
  )
  expectRefusal(await deployment.run(['webhook', 'edit', id]), 2, 'Missing: --url <url> or --events <types>')
  expectRefusal(await deployment.run(['webhook', 'edit', id, '--on', '--off']), 2, 'not both')
  expectRefusal(
    await deployment.run(['webhook', 'edit', id, '--events', 'message.read', '--all-events']),
    2,
    '--events and --all-events',
  )
})

test('headers that a new address drops are named, with what to type', async () => {
  const { id } = await added('--header', 'authorization: Bearer of-the-shop')
  const edit = (to: string) => deployment.run(['webhook', 'edit', id, '--url', to])
  expect((await edit(url)).stdout).not.toContain('dropped')
  const { stdout } = await edit(`${url}/2`)
  expect(stdout).toMatch(/own headers +no/)
  expect(stdout).toContain(`waypost webhook edit ${id} --headers-file …: its own headers were dropped`)
})

test('rotate shows a new secret, and says until when the old one signs', async () => {
  const { id, secret } = await added()
  const rotate = (...rest: string[]) =>
    deployment.json<Webhook & { formerUntil: string | null }>(['webhook', 'rotate', id, ...rest])
  const next = await rotate('--grace', '2h')
  expect(next.secret).not.toBe(secret)
  expect(Math.round((Date.parse(next.formerUntil ?? '') - Date.now()) / hourMs)).toBe(2)
  expect((await rotate('--grace', '0')).formerUntil).toBeNull()
  expectRefusal(await deployment.run(['webhook', 'rotate', id, '--grace', '8d']), 2, 'at most 7 days')
})

test('an endpoint whose secret is lost gets another one before it is switched on', async () => {
  const { id } = await added()
  await deployment.withStore(async ({ read, write }) => {
    const check = { name: vaultCheckName, value: (await read.property(vaultCheckName)) ?? '' }
    await write.replaceSecrets({ check, channels: [], at: Date.now() })
  })
  expect(await show(id)).toMatchObject({ state: 'off', disabledReason: 'secretLost' })
  for (const args of [
    ['edit', id, '--on'],
    ['test', id],
  ])
    expectRefusal(await deployment.run(['webhook', ...args]), 1, `First: waypost webhook rotate ${id}`)
  expect(await deployment.json(['webhook', 'rotate', id])).toMatchObject({ formerUntil: null })
  expect(await deployment.json(['webhook', 'edit', id, '--on'])).toMatchObject({ state: 'untried' })
})

test('an endpoint of the platform’s format is verified by the command, and refused where nobody answers', async () => {
  const tokens: (string | null)[] = []
  const program = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const { searchParams } = new URL(url)
      tokens.push(searchParams.get('hub.verify_token'))
      return new Response(searchParams.get('hub.challenge'))
    },
  })
  const address = `http://127.0.0.1:${program.port}/hook`
  const options = ['--url', address, '--format', 'platform', '--verify-token', 'of the inbox']
  const args = ['webhook', 'add', '--workspace', workspaceId, ...options]
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }
  const types = ['message.received', 'template.reported']
  const { stdout } = await deployment.run([...args, '--events', types.join(), '--json'], { env })
  await program.stop(true)
  const { format, events } = JSON.parse(stdout)
  expect([format, events, tokens]).toEqual(['platform', types, ['of the inbox']])
  expectRefusal(await deployment.run([...args, '--events', 'message.unknown'], { env }), 2, 'template.reported')
  expectRefusal(await deployment.run(args, { env }), 2, 'hub.challenge')
  expect(await list()).toHaveLength(1)
})

test('remove removes it', async () => {
  const { id } = await added()
  await deployment.json(['webhook', 'remove', id])
  expect(await list()).toEqual([])
  expectRefusal(await deployment.run(['webhook', 'remove', id, '--json']), 1, `No webhook has this id: ${id}`)
})

describe('deliveries', () => {
  let id: string
  let delivered: string
  let failed: string
  beforeEach(async () => {
    const { id: made } = await added()
    const deliver = (store: Store) => twoDeliveries(store, workspaceId, async () => made)
    ;({ id, delivered, failed } = await deployment.withStore(deliver))
  })
  const deliveries = (...rest: string[]) =>
    deployment.json<{ eventId: string; state: string }[]>(['webhook', 'deliveries', id, ...rest])

  test('are listed by state and page, newest first, with their attempts', async () => {
    const all = await deliveries()
    const attempts = [{ ...notTaken, at: new Date(notTaken.at).toISOString() }]
    expect(all).toEqual([
      { eventId: failed, type: 'message.sent', state: 'failed', attemptCount: 1, nextAt: null, attempts },
      expect.objectContaining({ eventId: delivered, state: 'delivered' }),
    ])
    const newest = all.slice(0, 1)
    expect([await deliveries('--state', 'failed'), await deliveries('--limit', '1')]).toEqual([newest, newest])
    expect(await deliveries('--limit', '1', '--before', failed)).toEqual(all.slice(1))
    const { stdout } = await deployment.run(['webhook', 'deliveries', id, '--event', failed])
    expect(stdout).toMatch(new RegExp(`${failed} +message.sent +failed +1 +503 after 5 ms`))
    expect(stdout).toMatch(/2026-01-01 00:00:00 +503 after 5 ms +closed/)
  })

  test('are made due again: one, those that failed, or all since a time', async () => {
    const replay = (...rest: string[]) => deployment.json(['webhook', 'replay', id, ...rest])
    const none = await deployment.run(['webhook', 'replay', id, '--failed-since', '2100-01-01'])
    expect(none.stdout).toContain('There is nothing to deliver again')
    expect(await replay('--failed-since', '1h')).toEqual({ id, due: 1 })
    expect(await replay('--event', delivered)).toEqual({ id, due: 1 })
    expect(await replay('--since', '1h')).toEqual({ id, due: 2 })
    await deployment.json(['webhook', 'edit', id, '--off'])
    const { stdout } = await deployment.run(['webhook', 'replay', id, '--since', '1h'])
    expect(stdout).toContain('2 events are delivered again')
    expect(stdout).toContain(`waypost webhook edit ${id} --on: the endpoint is off`)
  })
})

test('test sends an example without a gateway, and ends with 1 when it is not taken', async () => {
  await using receiver = startReceiver(() => new Response('not now\u001b[31m', { status: 503 }))
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }
  const args = ['webhook', 'add', '--workspace', workspaceId, '--url', receiver.url]
  const { id } = await deployment.json<Webhook>([...args, '--header', 'Authorization: Bearer of:the-shop'], { env })
  const refused = await deployment.run(['webhook', 'test', id, '--json'], { env })
  const answer = JSON.parse(refused.stdout)
  expect([refused.code, answer]).toEqual([
    1,
    expect.objectContaining({ type: 'message.delivered', status: 503, error: null }),
  ])
  expect(receiver.received[0]?.event).toMatchObject({ id: answer.eventId, type: 'message.delivered' })
  expect(receiver.received[0]?.headers.get('authorization')).toBe('Bearer of:the-shop')
  const { stdout } = await deployment.run(['webhook', 'test', id, '--type', 'message.read'], { env })
  expect(stdout).toMatch(
    /^503 after \d+ ms: it was not taken: only a whole answer of 200 to 299 is success\nnot now\[31m\n$/,
  )
  // The same guard as at a delivery: the network is not open any more.
  const guarded = await deployment.run(['webhook', 'test', id])
  expect([guarded.code, guarded.stdout]).toEqual([1, expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS')])
})

test('a receiver with an authority of one’s own is believed once the runtime knows it, and else refused for one reason', async () => {
  const certificates = join(import.meta.dir, '../transport/certificates')
  const [key, cert] = [Bun.file(join(certificates, 'key.pem')), Bun.file(join(certificates, 'localhost.pem'))]
  const receiver = Bun.serve({ port: 0, tls: { key, cert }, fetch: () => new Response() })
  const url = `https://localhost:${receiver.port}/`
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1,::1' }
  const { id } = await deployment.json<Webhook>(['webhook', 'add', '--workspace', workspaceId, '--url', url], { env })
  const sent = (more: Readonly<Record<string, string>>) =>
    deployment.run(['webhook', 'test', id], { env: { ...env, ...more }, asProcess: true })
  expect((await sent({})).stdout).toMatch(
    /^the certificate of its server is not valid \([a-z ]+\): it was not taken\n$/,
  )
  expect((await sent({ NODE_EXTRA_CA_CERTS: join(certificates, 'ca.pem') })).stdout).toMatch(/: it was taken\n$/)
  await receiver.stop(true)
})

test('what is wrong is refused in a sentence, and nothing is stored', async () => {
  const rows: [args: string[], says: string][] = [
    [['webhook', 'add', '--workspace', workspaceId, '--url', 'https://10.0.0.5/'], 'ALLOWED_NETWORKS=10.0.0.5/32'],
    [add('--events', 'message.lost'), 'It must be of message.scheduled, message.released'],
    [add('--line', 'line_none'), 'none of this workspace'],
    [add('--header', 'no colon'), 'a name, a colon and a value'],
    [add('--header', 'x: y', '--headers-file', '-'), 'not both'],
  ]
  for (const [args, says] of rows) expectRefusal(await deployment.run(args), 2, says)
  expect(await list()).toEqual([])
})

test('what is unknown is named', async () => {
  const { id } = await added()
  const foreign = numberedId('evt', 'ws_another_workspace', 1)
  const rows: [args: string[], code: 1 | 2, says: string][] = [
    [['show', 'hook_none'], 1, 'No webhook has this id: hook_none'],
    [['edit', 'hook_none', '--on'], 1, 'No webhook has this id: hook_none'],
    [['rotate', 'hook_none'], 1, 'No webhook has this id: hook_none'],
    [['test', 'hook_none'], 1, 'No webhook has this id: hook_none'],
    [['deliveries', 'hook_none'], 1, 'No webhook has this id: hook_none'],
    [['deliveries', id, '--before', foreign], 2, 'no event'],
    [['deliveries', id, '--event', numberedId('evt', workspaceId, 1)], 1, 'No delivery'],
    [['replay', id, '--event', foreign], 2, 'no event'],
    [['replay', id, '--event', numberedId('evt', workspaceId, 1)], 1, 'not kept any more'],
    [['replay', id], 2, 'Missing: --event <id> or --failed-since <when> or --since <when>'],
    [['replay', id, '--since', '1d', '--failed-since', '1d'], 2, 'Give one of'],
    [['test', id, '--type', 'message.lost'], 2, 'must be one of'],
  ]
  for (const [args, code, says] of rows) expectRefusal(await deployment.run(['webhook', ...args]), code, says)
})
