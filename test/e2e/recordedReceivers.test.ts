import { afterAll, beforeAll, expect, test } from 'bun:test'
import { field, list } from '../../src/base/json.ts'
import { fileKinds, inboundInput } from '../../src/sandbox/callbacks/inboundInput.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf } from '../gateway.ts'
import { keepFiles } from '../media/incoming/user.ts'
import { chatwoot, chatwootFile } from './recorded/chatwoot.ts'
import { perform, shapeOf, startClientStack } from './recorded/clients.ts'
import { evolutionFile } from './recorded/evolution.ts'
import { type ClientName, receivers, type Taken } from './recorded/receivers.ts'
import { typebotFile } from './recorded/typebot.ts'
import { user } from './stack.ts'

/*
 * What Chatwoot, Typebot and Evolution API take from callbacks is the same from the stand-in of the platform and from the
 * gateway, and each verifies what it verifies.
 */

const stack = sharedFixture(startClientStack)
const names = Object.keys(receivers) as readonly ClientName[]
/** What each client took, by the id and the status that it was told of. */
type Log = Record<ClientName, Map<string, Taken>>
const newLog = (): Log => ({ chatwoot: new Map(), typebot: new Map(), evolution: new Map() })
/** By whom it was told. */
const told = { straight: newLog(), through: newLog() }
const secrets: Partial<Record<ClientName, string>> = {}
const asked: string[] = []

const take = (log: Log, name: ClientName, body: string, signature: string | null, secret: string) => {
  const taken = receivers[name].receive(body, signature, secret)
  log[name].set(subjectOf(JSON.parse(body)), taken)
  return taken
}
const signatureOf = (request: Request) => request.headers.get('x-hub-signature-256')

/** Where the platform posts: each client takes it, and then the gateway. */
const passing = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await request.text()
    for (const name of names) take(told.straight, name, body, signatureOf(request), stack.appSecret)
    return fetch(stack.callbackUrl, { method: 'POST', headers: request.headers, body })
  },
})
/** Where the gateway posts: each client has its own path. */
const clients = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    const name = names.find(each => receivers[each].path === pathname)
    if (!name) return new Response(null, { status: 404 })
    if (request.method === 'GET') {
      asked.push(name)
      const [token, challenge] = ['verify_token', 'challenge'].map(each => searchParams.get(`hub.${each}`) ?? '')
      return receivers[name].verify({ token: token ?? '', challenge: challenge ?? '' })
    }
    const { status } = take(told.through, name, await request.text(), signatureOf(request), secrets[name] ?? '')
    return new Response(null, { status })
  },
})
afterAll(() => Promise.all([passing.stop(true), clients.stop(true)]))

const add = async (name: ClientName, verifyToken: string) => {
  const manager = await stack.createKey({ scopes: ['webhooks'] })
  return answerOf(
    fetch(`${stack.url}/api/v1/public/webhooks`, {
      method: 'POST',
      headers: { ...manager, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ format: 'platform', verifyToken },
        url: `http://127.0.0.1:${clients.port}${receivers[name].path}`,
      }),
    }),
  )
}

beforeAll(async () => {
  stack.control.setCallbackUrl(`http://127.0.0.1:${passing.port}`)
  for (const name of names) {
    expect([name, (await add(name, 'wrong')).status]).toEqual([name, 400])
    const added = await add(name, receivers[name].verifyToken)
    expect([name, added.status]).toEqual([name, 201])
    secrets[name] = added.json.data.secret
  }
})

test('each is asked once, and what it answers to a wrong token adds nothing', () => {
  expect(asked).toEqual(names.flatMap(name => [name, name]))
})

/** @returns what each client took of it from the gateway, once it has; and that it took the same from the platform */
async function taken(subject: string) {
  const of = (log: Log) => names.map(name => log[name].get(subject))
  await eventually(() => expect(of(told.through)).not.toContain(undefined))
  expect(shapeOf(of(told.through))).toEqual(shapeOf(of(told.straight)))
  return names.map(name => [told.straight[name].get(subject), told.through[name].get(subject)] as const)
}

test.each(inboundInput.properties.kind.enum.map(kind => [kind]))('takes a message of the kind %s', async kind => {
  const written = await stack.control.inbound({ kind, from: user, name: 'Ada' })
  expect(written).toMatchObject({ status: 200 })
  await taken(written?.wamid ?? '')
})

test.each([['sent'], ['delivered'], ['read'], ['played'], ['failed']] as const)('takes the status %s', async status => {
  const [sending] = chatwoot
  if (!sending) throw new Error('the first call is a text')
  const { read } = await perform(stack, stack.through, sending)
  const { id: wamid } = read as { id: string }
  expect(await stack.control.status({ wamid, status, ...(status === 'failed' && { code: 131026 }) })).toEqual({
    status: 200,
  })
  await taken(`${wamid} ${status}`)
})

const files = { chatwoot: chatwootFile, typebot: typebotFile, evolution: evolutionFile }
test.each(fileKinds.map(kind => [kind]))('fetches a file of the kind %s as soon as it is told of it', async kind => {
  const written = await stack.control.inbound({ kind, from: user, name: 'Ada' })
  const both = await taken(written?.wamid ?? '')
  const fetched = names.map((name, at) =>
    both[at]?.map((of, way) => {
      const file = /"(?:file|id)":"(media_\w+|\d{10,})"/.exec(JSON.stringify(of?.reads))?.[1] ?? ''
      return perform(stack, way === 0 ? stack.straight : stack.through, files[name], { file })
    }),
  )
  // The gateway has the file later than the clients are told of it.
  await keepFiles(stack)
  for (const client of fetched) {
    const [straight, through] = await Promise.all(client ?? [])
    expect(through).toEqual(straight)
    expect(straight?.read).toEqual([200, expect.any(String), 200, expect.any(Uint8Array)])
  }
})

/** What a callback is about. */
function subjectOf(body: unknown): string {
  const value = field(field(list(field(list(field(body, 'entry'))[0], 'changes'))[0], 'value'), 'statuses')
  const [status] = list(value)
  if (status) return `${field(status, 'id')} ${field(status, 'status')}`
  const [message] = list(field(field(list(field(list(field(body, 'entry'))[0], 'changes'))[0], 'value'), 'messages'))
  return String(field(message, 'id'))
}
