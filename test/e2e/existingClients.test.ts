import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { createWhatsAppAdapter } from '@chat-adapter/whatsapp'
import GreatDetail, { MessageType } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { Actions, Button, Card, CardText, ConsoleLogger } from 'chat'
import { WhatsAppAPI } from 'whatsapp-api-js'
import { Text } from 'whatsapp-api-js/messages'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { keepFiles } from '../media/incoming/user.ts'
import { needs, program, run } from '../programs.ts'
import { type Address, shapeOf, startClientStack } from './recorded/clients.ts'
import { accountId, user } from './stack.ts'

/*
 * Clients of the platform, as their packages are published, each by the one setting that docs/drop-in.md names: what they
 * get from the stand-in of the platform, they get through the gateway.
 */

const stack = sharedFixture(startClientStack)
beforeEach(() => {
  stack.control.reset()
  stack.control.configure({ callbacks: { silent: true } })
})

const line = () => stack.line.upstreamPhoneId

/** @returns what both gave */
async function alike(act: (address: Address) => Promise<unknown>): Promise<unknown> {
  const [one, other] = [await act(stack.straight), await act(stack.through)]
  expect(shapeOf(other)).toEqual(shapeOf(one))
  return other
}

describe('@kapso/whatsapp-cloud-api, by baseUrl', () => {
  const client = ({ url, accessToken }: Address) => new WhatsAppClient({ baseUrl: url, accessToken })
  const to = user.slice(1)

  test('sends a text, a picture that it uploads, and buttons', async () => {
    await alike(address => client(address).messages.sendText({ phoneNumberId: line(), to, body: 'Hello' }))
    await alike(async address => {
      const file = new Blob([picture], { type: 'image/png' })
      const { id } = await client(address).media.upload({
        phoneNumberId: line(),
        type: 'image/png',
        file,
        fileName: 'a.png',
      })
      return client(address).messages.sendImage({ phoneNumberId: line(), to, image: { id, caption: 'A' } })
    })
    await alike(address =>
      client(address).messages.sendInteractiveButtons({
        ...{ phoneNumberId: line(), to, bodyText: 'Today?' },
        buttons: [{ id: 'yes', title: 'Yes' }],
      }),
    )
  })

  test('lists templates, and reads the error of a send as the platform words it', async () => {
    await alike(address => client(address).templates.list({ businessAccountId: accountId, limit: 2 }))
    const send = (address: Address) =>
      client(address)
        .messages.sendTemplate({ phoneNumberId: line(), to, template: { name: 'none', language: { code: 'en_US' } } })
        .catch(error => ({ code: error.code, name: error.name }))
    await alike(send)
  })
})

describe('@great-detail/whatsapp, by baseUrl', () => {
  const client = ({ url, accessToken }: Address) =>
    new GreatDetail({ baseUrl: url, request: { headers: { Authorization: `Bearer ${accessToken}` } } })

  test('sends a text', async () => {
    await alike(address =>
      client(address).message.createMessage({
        ...{ phoneNumberID: line(), to: user, type: MessageType.Text, text: { body: 'Hello' } },
      }),
    )
  })
})

describe('whatsapp-api-js, by a fetch that puts another host', () => {
  const client = ({ url, accessToken }: Address) =>
    new WhatsAppAPI({
      ...{ token: accessToken, appSecret: 'app-secret', v: 'v23.0' },
      ponyfill: {
        fetch: ((input: string, init?: RequestInit) =>
          fetch(String(input).replace('https://graph.facebook.com', url), init)) as typeof fetch,
      },
    })

  test('sends a text with words of its own, and marks a message as read', async () => {
    await alike(address => client(address).sendMessage(line(), user, new Text('Hello'), undefined, 'order 7'))
    expect((await stack.messages())[0]?.reference).toBe('order 7')
    await stack.control.inbound({ kind: 'text', from: user })
    const { channelMessageId = '' } = stack.inbound().at(-1) ?? {}
    expect(await alike(address => client(address).markAsRead(line(), channelMessageId))).toEqual({ success: true })
  })

  test('reads and deletes a file that it uploads', async () => {
    const upload = async (address: Address) => {
      const form = new FormData()
      form.set('file', new Blob([picture], { type: 'image/png' }), 'a.png')
      const uploaded = await client(address).uploadMedia(line(), form)
      return 'id' in uploaded ? uploaded.id : ''
    }
    await alike(async address => {
      const id = await upload(address)
      const file = await client(address).retrieveMedia(id, line())
      const bytes = 'url' in file ? await (await client(address).fetchMedia(file.url)).bytes() : null
      expect(bytes).toEqual(new Uint8Array(picture))
      return [file, await client(address).deleteMedia(id), await client(address).retrieveMedia(id).then(Object.keys)]
    })
  })

  test('blocks users, and makes, changes and deletes a QR code', async () => {
    // The platform blocks nobody else.
    await stack.control.inbound({ kind: 'text', from: user })
    await alike(address => client(address).blockUser(line(), user))
    await alike(address => client(address).unblockUser(line(), user))
    await alike(async address => {
      const made = await client(address).createQR(line(), 'Hello')
      const code = 'code' in made ? String(made.code) : ''
      return [
        made,
        await client(address).updateQR(line(), code, 'Hi'),
        await client(address).retrieveQR(line(), code),
        await client(address).deleteQR(line(), code),
      ]
    })
  })
})

describe('@chat-adapter/whatsapp, by apiUrl', () => {
  const adapter = ({ url, accessToken }: Address) =>
    createWhatsAppAdapter({
      ...{ apiUrl: url, accessToken, appSecret: 'app-secret', verifyToken: 'its own', phoneNumberId: line() },
      logger: new ConsoleLogger('silent'),
    })
  const thread = () => `whatsapp:${line()}:${user.slice(1)}`
  const sent = async (sending: Promise<{ readonly id: string; readonly threadId: string }>) => {
    const { id, threadId } = await sending
    return { id, threadId }
  }

  test('sends a text, an answer to one, buttons, a template and a picture that it uploads', async () => {
    await alike(async address => {
      const { id, ...rest } = await sent(adapter(address).postMessage(thread(), 'Hello'))
      return [id, rest, await sent(adapter(address).reply(thread(), id, { markdown: '**Hello** again' }))]
    })
    const buttons = Actions([Button({ id: 'yes', label: 'Yes' })])
    const card = Card({ title: 'Today?', children: [CardText('Will you come?'), buttons] })
    await alike(address => sent(adapter(address).postMessage(thread(), { card })))
    const template = { name: 'hello_world', language: 'en_US' }
    await alike(address => sent(adapter(address).sendTemplate(thread(), template)))
    const file = { data: picture, filename: 'a.png', mimeType: 'image/png' }
    await alike(address => sent(adapter(address).postMessage(thread(), { markdown: 'A', files: [file] })))
  })

  test('reacts to a message of a user, takes it back, and marks it as read with the sign that it writes', async () => {
    await stack.control.inbound({ kind: 'text', from: user })
    const { channelMessageId = '' } = stack.inbound().at(-1) ?? {}
    await alike(async address => [
      await adapter(address).addReaction(thread(), channelMessageId, 'thumbs_up'),
      await adapter(address).removeReaction(thread(), channelMessageId, 'thumbs_up'),
      await adapter(address).markAsRead(channelMessageId),
    ])
  })

  test('reads the error of a send as the platform words it', async () => {
    await alike(address =>
      adapter(address)
        .postMessage('whatsapp:1:123', { markdown: ' ' })
        .catch(({ name, status }) => ({ name, status })),
    )
  })
})

describe('what comes to a client', () => {
  const verifyToken = 'its own'
  const posts: { readonly body: string; readonly signature: string }[] = []
  const library = (appSecret: string) =>
    new WhatsAppAPI({ ...{ token: stack.through.accessToken, appSecret, webhookVerifyToken: verifyToken, v: 'v23.0' } })
  let secret = ''
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      if (request.method === 'GET') return new Response(library('').get(query as never))
      posts.push({ body: await request.text(), signature: request.headers.get('x-hub-signature-256') ?? '' })
      return new Response()
    },
  })
  beforeAll(async () => {
    const manager = await stack.createKey({ scopes: ['webhooks'] })
    const added = await fetch(`${stack.url}/api/v1/public/webhooks`, {
      method: 'POST',
      headers: { ...manager, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'platform', url: `http://127.0.0.1:${receiver.port}/hook`, verifyToken }),
    })
    secret = ((await added.json()) as { data: { secret: string } }).data.secret
  })
  afterAll(() => receiver.stop(true))

  /** Programs escape what is beyond ASCII before they verify, as the platform writes it. */
  const thanks = 'Danke schön 😀 \u2028'
  const postsOf = (id: string) => posts.filter(({ body }) => body.includes(id))

  /** Sends a text, and has a user answer it. @returns the ids of both, and what the client was told of them */
  async function exchange() {
    const client = new WhatsAppClient({ baseUrl: stack.through.url, accessToken: stack.through.accessToken })
    const sent = await client.messages.sendText({ phoneNumberId: line(), to: user.slice(1), body: 'Hello' })
    const { id = '' } = sent.messages[0] ?? {}
    const written = await stack.control.inbound({ kind: 'text', from: user, name: 'Zoë 👩‍💻', text: thanks })
    const ids = [id, written?.wamid ?? ''] as const
    await eventually(() => expect(ids.map(each => postsOf(each).length)).toEqual([1, 1]))
    return { ids, told: ids.flatMap(postsOf) }
  }

  test('@kapso/whatsapp-cloud-api verifies it, and reads it', async () => {
    const { ids, told } = await exchange()
    for (const { body: rawBody, signature: signatureHeader } of told) {
      expect(verifySignature({ appSecret: secret, rawBody, signatureHeader })).toBe(true)
      expect(verifySignature({ appSecret: 'another', rawBody, signatureHeader })).toBe(false)
    }
    const read = told.map(({ body }) => normalizeWebhook(JSON.parse(body)))
    const statuses = read.flatMap(each => each.statuses.map(({ id, status }) => [id, status]))
    const messages = read.flatMap(each => each.messages.map(({ id, text }) => [id, text?.body]))
    expect([statuses, messages]).toEqual([[[ids[0], 'sent']], [[ids[1], thanks]]])
    expect(read.map(each => each.phoneNumberId)).toEqual([line(), line()])
  })

  test('@great-detail/whatsapp verifies it, and reads it', async () => {
    const { ids, told } = await exchange()
    const { webhook } = new GreatDetail({})
    for (const { body, signature } of told) {
      const given = { method: 'POST', query: {}, headers: { 'x-hub-signature-256': signature }, body }
      const event = await webhook.eventNotification(given)
      await event.verifySignature(secret)
      await expect(event.verifySignature('another')).rejects.toBeInstanceOf(
        webhook.errors.InvalidHubSignatureWebhookError,
      )
      expect(ids.filter(id => JSON.stringify(event.eventNotification).includes(id))).toHaveLength(1)
    }
  })

  test('whatsapp-api-js verifies it, and reads it', async () => {
    const { ids, told } = await exchange()
    const api = library(secret)
    const read: unknown[] = []
    api.on.status = ({ id, status, phoneID }) => void read.push([phoneID, id, status])
    api.on.message = ({ message, from, name, phoneID }) => void read.push([phoneID, message.id, from, name])
    for (const { body, signature } of told) {
      await api.post(JSON.parse(body), body, signature)
      await expect(library('another').post(JSON.parse(body), body, signature)).rejects.toThrow()
    }
    expect(read).toEqual([
      [line(), ids[0], 'sent'],
      [line(), ids[1], user.slice(1), 'Zoë 👩‍💻'],
    ])
  })

  test('@chat-adapter/whatsapp verifies it, and takes it', async () => {
    const { told } = await exchange()
    const answers = async (appSecret: string) => {
      const given = { accessToken: 'wp_', appSecret, verifyToken, phoneNumberId: line() }
      const adapter = createWhatsAppAdapter({ ...given, logger: new ConsoleLogger('silent') })
      const posted = told.map(({ body, signature }) => {
        const init = { method: 'POST', headers: { 'x-hub-signature-256': signature }, body }
        return adapter.handleWebhook(new Request('http://127.0.0.1/hook', init))
      })
      return (await Promise.all(posted)).map(({ status }) => status)
    }
    expect([await answers(secret), await answers('another')]).toEqual([Array(2).fill(200), Array(2).fill(401)])
  })

  describe.each([
    [
      'Python',
      ['python3', '-c', "import json, sys; print(json.dumps(json.loads(sys.argv[1]), separators=(',', ':')))"],
    ],
    ['PHP', ['php', '-r', 'echo json_encode(json_decode($argv[1]), JSON_UNESCAPED_SLASHES);']],
  ] as const)('%s', (_name, command) => {
    const { isMissing, name } = needs('writes again what it has parsed, and verifies that', program(command[0]))
    test.skipIf(isMissing)(name, async () => {
      for (const { body, signature } of (await exchange()).told) {
        const { stdout } = await run([...command, body])
        expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(stdout.trim()).digest('hex')}`)
      }
    })
  })

  test('a file is loaded by each in its way, without its token too', async () => {
    const { wamid = '' } = (await stack.control.inbound({ kind: 'image', from: user })) ?? {}
    await eventually(() => expect(postsOf(wamid)).toHaveLength(1))
    await keepFiles(stack)
    const [mediaId = ''] = /media_\w+/.exec(postsOf(wamid)[0]?.body ?? '') ?? []
    const kapso = new WhatsAppClient({ baseUrl: stack.through.url, accessToken: stack.through.accessToken })
    const { url } = await kapso.media.get({ mediaId, phoneNumberId: line() })
    const loaded = [
      await kapso.media.download({ mediaId, phoneNumberId: line() }),
      await new GreatDetail({}).media.download({ mediaURL: url }).arrayBuffer(),
      await (await library('').fetchMedia(url)).arrayBuffer(),
    ]
    const bytes = Buffer.from(exampleFiles.image?.bytes ?? [])
    expect(loaded.map(each => Buffer.from(each as ArrayBuffer))).toEqual([bytes, bytes, bytes])
  })
})

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
