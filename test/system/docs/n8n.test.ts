import { afterAll, expect, test } from 'bun:test'
import { blocks } from '../../docs/blocks.ts'
import { startStack, user } from '../../e2e/stack.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, type Key } from '../../gateway.ts'

/*
 * The workflow of docs/drop-in.md, by what its nodes describe: n8n itself is not run.
 */

interface Node {
  readonly type: string
  readonly parameters: {
    readonly httpMethod?: string
    readonly method?: string
    readonly path?: string
    readonly url?: string
    readonly jsonBody?: string
    readonly headerParameters?: { readonly parameters: readonly { readonly name: string; readonly value: string }[] }
    readonly conditions?: { readonly conditions: readonly Readonly<Record<'leftValue' | 'rightValue', string>>[] }
  }
}
const [block] = blocks.filter(({ note }) => note === 'workflow')
const { nodes } = JSON.parse(block?.text ?? '') as { nodes: readonly Node[] }
const [listens, filters, sends] = ['webhook', 'filter', 'httpRequest'].map(
  type => nodes.find(node => node.type === `n8n-nodes-base.${type}`)?.parameters,
)

/** A value of a node: with `=` in front, what is in braces is JavaScript. */
const nodeValue = (value: string, $json: unknown): string =>
  value.startsWith('=')
    ? value
        .slice(1)
        .replace(/\{\{(.*?)\}\}(?!\})/g, (_, code) => String(new Function('$json', `return ${code}`)($json)))
    : value

const stack = sharedFixture(() => startStack({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
const secretHeader = { 'X-Waypost': 'a long random word' }
let sender: Promise<Key> | undefined
const answers: { readonly status: number; readonly id: string; readonly event: string }[] = []

/** The events that the filter has stopped. */
const stopped: string[] = []
const started = () => new Response('{"message":"Workflow was started"}')

const n8n = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const isNode =
      new URL(request.url).pathname === `/webhook/${listens?.path}` && request.method === listens?.httpMethod
    if (!isNode || request.headers.get('x-waypost') !== secretHeader['X-Waypost'])
      return new Response(null, { status: 403 })
    const $json = { body: (await request.json()) as { readonly id: string } }
    // Its operation is `notEquals`.
    const isKept = filters?.conditions?.conditions.every(one => nodeValue(one.leftValue, $json) !== one.rightValue)
    if (!isKept) {
      stopped.push($json.body.id)
      return started()
    }
    sender ??= stack.createKey({ scopes: ['messages:send'] })
    const { apiKey, apiSecret } = await sender
    const own = sends?.headerParameters?.parameters.map(({ name, value }) => [name, nodeValue(value, $json)]) ?? []
    const { status, json } = await answerOf(
      fetch(sends?.url?.replace('https://gateway.example', stack.url) ?? '', {
        method: sends?.method ?? '',
        headers: {
          ...{ 'X-API-Key': apiKey, 'X-API-Secret': apiSecret, 'content-type': 'application/json' },
          ...Object.fromEntries(own),
        },
        body: nodeValue(sends?.jsonBody ?? '', $json),
      }),
    )
    answers.push({ status, id: json.data?.id, event: $json.body.id })
    return started()
  },
})
afterAll(() => n8n.stop(true))

test('what a user writes is answered, once when its event comes again, and not what cannot be read', async () => {
  const manager = await stack.createKey({ scopes: ['webhooks'] })
  const ask = (path: string, body: object) =>
    answerOf(
      fetch(`${stack.url}/api/v1/public/webhooks${path}`, {
        method: 'POST',
        headers: { ...manager, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const added = await ask('', {
    ...{ url: `http://127.0.0.1:${n8n.port}/webhook/${listens?.path}`, events: ['message.received'] },
    headers: secretHeader,
  })
  expect(added.status).toBe(201)
  const { wamid = '' } = (await stack.control.inbound({ kind: 'text', from: user })) ?? {}
  await eventually(() => expect(answers).toHaveLength(1))
  const [first] = answers
  expect((await ask(`/${added.json.data.id}/replay`, { eventId: first?.event })).status).toBe(200)
  await eventually(() => expect(answers).toHaveLength(2))
  expect(answers.map(({ status }) => status)).toEqual([201, 200])
  expect(answers[1]?.id).toBe(first?.id ?? '')
  await stack.control.inbound({ kind: 'unsupported', from: user })
  await eventually(() => expect(stopped).toHaveLength(1))
  const sent = stack.sent()
  expect(sent.map(({ type, context, text }) => [type, context, text.body])).toEqual([
    ['text', { message_id: wamid }, 'Thank you! We answer soon.'],
  ])
})
