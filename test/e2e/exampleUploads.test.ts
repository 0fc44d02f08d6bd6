import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import type { Gateway } from '../../src/serve.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, startBareGateway } from '../gateway.ts'
import { files } from '../media/outgoing/files.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type Address, startClientStack } from './recorded/clients.ts'
import { type Stack, startStack } from './stack.ts'

/* A client of the platform makes a template with a header of media: through the gateway as at the stand-in. */

const { png } = files

const ask = ({ url, accessToken }: Address, path: string, init: RequestInit = {}): Promise<Answer> =>
  answerOf(
    fetch(`${url}/v25.0/${path}`, { ...init, headers: { authorization: `OAuth ${accessToken}`, ...init.headers } }),
  )
const start = (address: Address, more: object = {}) => {
  const query = { file_name: 'offer.png', file_length: String(png.length), file_type: 'image/png', ...more }
  return ask(address, `app/uploads?${new URLSearchParams(query)}`, { method: 'POST' })
}
const write = (address: Address, id: string, bytes: Uint8Array, offset = 0) =>
  ask(address, id, { method: 'POST', headers: { file_offset: `${offset}` }, body: new Uint8Array(bytes) })
const create = (address: Address, name: string, handle: string) => {
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } }
  const template = { name, language: 'en_US', category: 'UTILITY', components: [header, { type: 'BODY', text: 'Hi.' }] }
  return ask(address, '100001/message_templates', { method: 'POST', body: JSON.stringify(template) })
}

describe('through the gateway', () => {
  const stack = sharedFixture(startClientStack)

  test('an upload that was interrupted goes on, and its handle stands in a template, which is read at once', async () => {
    const { through } = stack
    const { id } = (await start(through)).json
    const half = Math.floor(png.length / 2)
    expect((await write(through, id, png.subarray(0, half))).json).toEqual({ id, file_offset: half })
    expect((await ask(through, id)).json).toEqual({ id, file_offset: half })
    const { h } = (await write(through, id, png.subarray(half), half)).json
    expect(h).toStartWith('4::')
    const created = await create(through, 'with_picture', h)
    expect([created.status, created.json.status]).toEqual([200, 'PENDING'])
    const { json } = await ask(through, `${created.json.id}?fields=name,components`)
    expect(json.components[0].example.header_handle[0]).toEndWith('/sandbox/files/image/offer.png')
    expect((await create(through, 'with_none', '4::made:up')).json.error.error_subcode).toBe(2388047)
  })

  test.each<[string, (address: Address, id: string) => Promise<Answer>]>([
    ['a type that is no example', address => start(address, { file_type: 'image/webp' })],
    ['no bytes', address => start(address, { file_length: '0' })],
    ['no length', address => start(address, { file_length: '' })],
    ['a picture that is too large', address => start(address, { file_length: '5242881' })],
    ['an offset that is not where it stopped', (address, id) => write(address, id, png, 3)],
    ['bytes of another type', (address, id) => write(address, id, new Uint8Array(png.length))],
    ['an upload that never was', address => write(address, 'upload:MTph', png)],
    ['a look at one that never was', address => ask(address, 'upload:MTph')],
  ])('%s: refused as the stand-in refuses it', async (_what, call) => {
    const [through, straight] = await Promise.all(
      [stack.through, stack.straight].map(async address => call(address, (await start(address)).json.id)),
    )
    expect(straight?.status).toBe(400)
    const told = (answer?: Answer) => [answer?.status, answer?.json.error.code, answer?.json.error.error_subcode]
    expect(told(through)).toEqual(told(straight))
  })
})

describe.skipIf(!hasPostgres)('of two instances on one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-uploads-'))
  let server: PostgresServer
  let stack: Stack
  let second: Gateway
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    const databaseUrl = await server.createDatabase()
    stack = await startStack({ env: { DATABASE_URL: databaseUrl, GRAPH_API: 'on' } })
    copyFileSync(join(stack.dataDir, 'secret.key'), join(folder, 'secret.key'))
    const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, CHANNEL_API_URL: stack.sandbox.url, GRAPH_API: 'on' }
    second = await startBareGateway(env)
  }, hungAfterMs)
  afterAll(async () => {
    await second.stop()
    await stack.stop()
    await server.remove()
    rmSync(folder, { recursive: true })
  })

  test('each goes on with what the other has begun, for its workspace alone', async () => {
    const { apiKey, apiSecret } = await stack.createKey({ scopes: ['graph', 'templates:write'] })
    const at = (url: string, key = { apiKey, apiSecret }) => ({
      url: `${url}/graph`,
      accessToken: graphTokenOf(key.apiKey, key.apiSecret),
    })
    const [one, two] = [at(stack.url), at(second.url)]
    const { id } = (await start(one)).json
    const neighbour = await stack.neighbour()
    const theirs = await stack.createKey({ workspaceId: neighbour.workspaceId, scopes: ['graph', 'templates:write'] })
    for (const { url } of [stack, second]) expect((await write(at(url, theirs), id, png)).json.error.code).toBe(100)
    expect((await write(two, id, png.subarray(0, 4))).json).toEqual({ id, file_offset: 4 })
    const { h } = (await write(one, id, png.subarray(4), 4)).json
    expect((await create(two, 'by_the_other', h)).status).toBe(200)
  })
})
