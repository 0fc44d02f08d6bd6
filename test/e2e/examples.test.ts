import { afterAll, beforeAll, expect, test } from 'bun:test'
import { answerOf } from '../gateway.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { type OpenApi, operationAt, readDocument, send } from '../partner/docs/openapi.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let fileServer: Files
let document: OpenApi
/** What a reader of the API document replaces by his own before sending: ids, and addresses where nobody is. */
let own: readonly (readonly [example: string, own: string])[]

beforeAll(async () => {
  stack = await startStack()
  await stack.sync()
  document = await readDocument(stack)
  fileServer = startFiles(() => new Response(files.jpeg))
  const { id } = await stack.contact()
  const call = (path: string, init: RequestInit = {}) =>
    answerOf(fetch(`${stack.url}/api/v1/public${path}`, { ...init, headers: { ...stack.key } }))
  await stack.control.inbound({ kind: 'text', from: '4915112345678', line: stack.line.upstreamPhoneId })
  const inbound = await call('/inbound')
  const body = new FormData()
  body.set('file', new Blob([files.pdf]), 'invoice.pdf')
  const given = await call('/media', { method: 'POST', body })
  own = [
    ['contact_01jd4v7m9xf5ksxj1q5y8p0c3d', id],
    ['line_01jd4v7m9xf5ksxj1q5y8p0c3e', stack.line.id],
    ['inb_0000000a1f5ksxj1q5y8p0c3', inbound.json.data[0].id],
    ['media_01jd4v7m9xf5ksxj1q5y8p0c3f', given.json.data.id],
    ['1558081531584829', await stack.upload(files.jpeg, 'image/jpeg')],
    ...['photo', 'aloe', 'fern', 'ivy', 'parcel'].map(
      name => [`https://shop.example/${name}.jpg`, `${fileServer.url}/${name}.jpg`] as const,
    ),
  ]
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
  fileServer.stop()
})

test('every sample of the document is sent as it is printed, or says what to put in, one after the other', async () => {
  const operation = operationAt(document, send)
  const samples = Object.entries(operation.requestBody?.content['application/json']?.examples ?? {})
  expect(samples.length).toBeGreaterThan(10)
  // What a viewer puts into each sample: the example of every header.
  const headers = Object.fromEntries(
    operation.parameters.flatMap(({ name, example }) =>
      name !== undefined && example !== undefined ? [[name, example]] : [],
    ),
  )
  for (const [name, { value, summary }] of samples) {
    const printed = JSON.stringify(value)
    const body = own.reduce((text, [example, mine]) => text.replaceAll(example, mine), printed)
    // What cannot be sent as it is printed says so, and nothing else does.
    expect([name, /: put in your /.test(summary)]).toEqual([name, body !== printed])
    const sent = await stack.send(body, headers)
    expect([name, sent.status, sent.json.data?.status ?? sent.text]).toEqual([name, 201, 'SENT'])
    const replayed = await stack.send(body, headers)
    expect([name, replayed.status, replayed.json.data?.idempotentReplay]).toEqual([name, 200, true])
  }
})

test('the quick start runs in a shell once the key is put in: it names the address by which it was asked', async () => {
  const block = /```sh\n(.*?)\n```/s.exec(document.info.description)?.[1] ?? ''
  const lines = block
    .replace('KEY_ID=pk_…', `KEY_ID=${stack.key.apiKey}`)
    .replace('KEY_SECRET=sk_…', `KEY_SECRET=${stack.key.apiSecret}`)
  const shell = Bun.spawn(['sh', '-eu', '-c', lines], { stdout: 'pipe', stderr: 'pipe' })
  const [printed, complaints] = await Promise.all([shell.stdout.text(), shell.stderr.text()])
  expect([await shell.exited, complaints]).toEqual([0, ''])
  const answers = printed.split(/(?<=\})(?=\{)|\n/).filter(line => line !== '')
  const [templates, message, status] = answers.map(line => JSON.parse(line).data)
  expect(templates.templates.length).toBeGreaterThan(0)
  expect(message).toMatchObject({ id: expect.stringMatching(/^msg_/), status: 'SENT', idempotentReplay: false })
  expect(status).toMatchObject({ id: message.id, status: 'SENT' })
})
