import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type MessageType, messageTypes } from '../../src/message/words.ts'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept } from '../upstream.ts'
import { Deployment, expectRefusal } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())
const gateway = sharedFixture(startTestGateway)
beforeEach(async () => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = request => (request.path.endsWith('/media') ? Response.json({ id: '77' }) : accept(request))
})

const phone = '+4915112345678'
const environment = () => ({
  WAYPOST_URL: gateway.url,
  WAYPOST_API_KEY: gateway.key.apiKey,
  WAYPOST_API_SECRET: gateway.key.apiSecret,
})
const run = (args: readonly string[], env: Record<string, string> = environment()) =>
  deployment.run(['message', 'send', ...args], { env })
/** What the upstream got last, without what every message has. */
function sent() {
  const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...content } =
    gateway.upstream.received.at(-1)?.json ?? {}
  return content
}
function fileOf(kind: string, name: string): string {
  writeFileSync(deployment.path(name), exampleFiles[kind]?.bytes ?? '')
  return name
}

const cards = '[{"name":{"formattedName":"Ada Lovelace","firstName":"Ada"}}]'
const button = {
  type: 'button',
  body: { text: 'Yes?' },
  action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
}
const ofFile = (kind: string, name: string, ...more: string[]) => ['--file', fileOf(kind, name), ...more]

describe('message send', () => {
  const rows: Readonly<Record<Exclude<MessageType, 'template'>, readonly [() => readonly string[], object]>> = {
    text: [
      () => ['--content', 'Hi', '--preview-url', '--reply-to', 'wamid.x'],
      { context: { message_id: 'wamid.x' }, text: { body: 'Hi', preview_url: true } },
    ],
    interactive: [() => ['--content', JSON.stringify(button)], { interactive: button }],
    image: [
      () => ofFile('image', 'photo.png', '--caption', 'Your order'),
      { image: { id: '77', caption: 'Your order' } },
    ],
    video: [() => ofFile('video', 'clip.mp4'), { video: { id: '77' } }],
    document: [
      () => ofFile('document', 'bill.pdf', '--reply-to', 'wamid.x'),
      { context: { message_id: 'wamid.x' }, document: { id: '77', filename: 'bill.pdf' } },
    ],
    audio: [() => ofFile('audio', 'voice.ogg', '--voice'), { audio: { id: '77', voice: true } }],
    sticker: [() => ofFile('sticker', 'fun.webp'), { sticker: { id: '77' } }],
    location: [
      () => ['--latitude', '52.5', '--longitude', '-13.4', '--name', 'Gate'],
      { location: { latitude: 52.5, longitude: -13.4, name: 'Gate' } },
    ],
    contacts: [
      () => ['--contacts', cards],
      { contacts: [{ name: { formatted_name: 'Ada Lovelace', first_name: 'Ada' } }] },
    ],
    reaction: [() => ['--message-id', 'wamid.x', '--emoji', ''], { reaction: { message_id: 'wamid.x', emoji: '' } }],
  }
  test.each(messageTypes.filter(type => type !== 'template'))('%s', async type => {
    const [args, content] = rows[type]
    // Text, and what a file is, need not be said.
    const given = args()
    const isClear = type === 'text' || given.includes('--file')
    const { code, stdout, stderr } = await run([...(isClear ? [] : ['--type', type]), '--phone', phone, ...given])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Sent as ${type}: it is SENT`)
    expect(sent()).toEqual({ type, ...content } as never)
  })

  test('a template with its values, and a reference of the caller, which finds it', async () => {
    await gateway.addTemplates({ name: 'greeting', components: JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}' }]) })
    const values = ['--template-name', 'greeting', '--template-variables', '{"1":"Ada"}', '--reference', 'order-1']
    const data = await deployment.json<{ id: string }>(
      ['message', 'send', '--type', 'template', '--phone', phone, ...values],
      { env: environment() },
    )
    expect(data).toMatchObject({ status: 'SENT', reference: 'order-1', templateName: 'greeting' })
    expect(sent()).toMatchObject({ template: { name: 'greeting' } })
  })

  test.each<[name: string, args: readonly string[], code: 1 | 2, says: string]>([
    ['nothing to send', ['--phone', phone], 2, 'Say what to send: --content, --file, or --type with its fields'],
    ['nobody', ['--content', 'Hi'], 2, '--phone'],
    ['a field of another type', ['--phone', phone, '--content', 'Hi', '--caption', 'Hi'], 2, '--caption'],
    ['no such file', ['--phone', phone, '--file', 'no.jpg'], 2, '--file no.jpg: there is no such file'],
    ['a file that nothing shows', ['--phone', phone, '--file', fileOf('none', 'none.bin')], 2, '--file'],
    ['no number', ['--phone', phone, '--type', 'location', '--latitude', 'north'], 2, 'It must be a number'],
    ['no JSON', ['--phone', phone, '--type', 'contacts', '--contacts', 'Ada'], 2, 'It must be JSON'],
    [
      'a message that is not there',
      ['--phone', phone, '--content', 'Hi', '--reply-to', 'inb_1'],
      1,
      'replyTo names no',
    ],
    [
      'a gateway that does not run',
      ['--phone', phone, '--content', 'Hi', '--url', 'http://127.0.0.1:1'],
      1,
      'Is it running?',
    ],
  ])('refuses %s', async (_, args, code, says) => {
    expectRefusal(await run(args), code, says)
    expect(gateway.upstream.received).toEqual([])
  })

  test('says that the gateway of the settings does not run, as health does', async () => {
    const { WAYPOST_URL, ...key } = environment()
    const sendTo = (port: number) => run(['--phone', phone, '--content', 'Hi'], { ...key, PORT: String(port) })
    expectRefusal(await sendTo(1), 1, 'Nothing listens at http://127.0.0.1:1: the gateway does not run')
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('Hello', { status: 501 }) })
    const { port = 0 } = other
    expectRefusal(await sendTo(port), 1, `Another program answers at http://127.0.0.1:${port} (HTTP 501)`)
    await other.stop(true)
  })

  test('says which settings hold the key, and that a key is wrong', async () => {
    const { WAYPOST_URL } = environment()
    expectRefusal(await run(['--phone', phone, '--content', 'Hi'], { WAYPOST_URL }), 2, 'WAYPOST_API_KEY')
    const wrong = { ...environment(), WAYPOST_API_SECRET: 'sk_wrong' }
    expectRefusal(await run(['--phone', phone, '--content', 'Hi'], wrong), 1, 'are no key of the gateway')
  })
})

describe('a gateway elsewhere, which is a stranger', () => {
  const stranger = (answer: () => Response) => Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  const told = '\u001b]0;title\u0007\u009b2J\u202e\u007fIt is no'
  const ask = (url: URL, ...more: string[]) => run(['--phone', phone, '--content', 'Hi', '--url', url.href, ...more])

  test('steers no terminal by its errors or its data, and --json stays what it was', async () => {
    await using refusing = stranger(() => Response.json({ error: 'CONFLICT', message: told }, { status: 409 }))
    await using accepting = stranger(() => Response.json({ data: { message: { id: told } } }))
    const refused = await ask(refusing.url)
    expectRefusal(refused, 1, ']0;title2JIt is no\n')
    const outcomes = [await ask(refusing.url, '--json'), await ask(accepting.url, '--json')]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    const steering = /[\u001b\u007f-\u009f\u202e]/
    for (const { stdout } of outcomes) expect(stdout).not.toMatch(steering)
    expect(Bun.stripANSI(refused.stderr)).not.toMatch(steering)
    expect(JSON.parse(outcomes[0]?.stdout ?? '').message).toEndWith('\u202e\u007fIt is no')
    expect(JSON.stringify(JSON.parse(outcomes[1]?.stdout ?? ''))).toContain(JSON.stringify(told).slice(1, -1))
  })

  test('ends no command by an answer without an end', async () => {
    let isLeft = false
    const body = () =>
      new ReadableStream({
        pull: controller => controller.enqueue(new Uint8Array(65_536)),
        cancel() {
          isLeft = true
        },
      })
    await using server = stranger(() => new Response(body()))
    expectRefusal(await ask(server.url), 1, `${server.url.origin}`)
    await eventually(() => expect(isLeft).toBe(true))
  })
})
