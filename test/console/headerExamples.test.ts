import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'
import { type Stack, startStack } from '../e2e/stack.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { addPerson, type Person } from './people.ts'

let stack: Stack
let viewer: Person
/** On this machine, which no link may reach. */
let inside: Files
beforeAll(async () => {
  stack = await startStack({ env: { MEDIA_ALLOWED_NETWORKS: '' } })
  inside = startFiles(() => new Response(new Uint8Array(files.png)))
  await putTemplate('inward', `${inside.url}/secret.png`)
  await putTemplate('made_just_now', '4::aGFuZGxl')
  await stack.sync()
  viewer = await addPerson(stack, 'viewer')
})
afterAll(async () => {
  inside.stop()
  await stack.stop()
})

const putTemplate = (name: string, handle: string) =>
  fetch(`${stack.sandbox.url}/sandbox/templates`, {
    method: 'PUT',
    body: JSON.stringify({
      ...{ name, language: 'en_US' },
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
        { type: 'BODY', text: 'Look.' },
      ],
    }),
  })

const path = (rest: string) => `/api/v1/workspaces/${stack.workspaceId}/templates${rest}`
const named = async (name: string) =>
  (await viewer.call(path(`?phoneNumberId=${stack.line.id}&search=${name}`))).json.templates[0]
async function example(name: string, place = 0, headers: Record<string, string> = {}) {
  const { id } = await named(name)
  const answer = await fetch(`${stack.url}${path(`/${id}/example?place=${place}`)}`, {
    headers: { authorization: `Bearer ${viewer.accessToken}`, ...headers },
  })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

test('a viewer sees the picture or video that the platform has for a header, and for each card', async () => {
  const picture = await example('photo_ready')
  expect(picture).toMatchObject({ status: 200, bytes: exampleFiles.image?.bytes })
  expect(picture.headers.get('content-type')).toBe('image/jpeg')
  expect(picture.headers.get('content-disposition')).toBe('attachment')
  const video = await example('video_guide')
  expect(video).toMatchObject({ status: 200, bytes: exampleFiles.video?.bytes })
  expect(video.headers.get('content-type')).toBe('video/mp4')
  const statuses = []
  for (const place of [0, 1, 2, 3, 4]) statuses.push((await example('plant_carousel', place)).status)
  expect(statuses).toEqual([404, 200, 200, 200, 404])
})

test('the browser keeps it, and asks each time whether it may still be seen', async () => {
  const { headers } = await example('photo_ready')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  const kept = await example('photo_ready', 0, { 'if-none-match': headers.get('etag') ?? '' })
  expect(kept).toMatchObject({ status: 304, bytes: new Uint8Array() })
  const other = await example('weekend_offer', 0, { 'if-none-match': headers.get('etag') ?? '' })
  expect(other.status).toBe(200)
})

test('of a document the name is shown, and the file is not fetched', async () => {
  const { draft, headerExamples } = await named('invoice_ready')
  expect(draft.header).toEqual({ kind: 'document', handle: '', fileName: 'invoice.pdf' })
  expect(headerExamples).toEqual([`${stack.sandbox.url}/sandbox/files/document/invoice.pdf`])
  expect((await example('invoice_ready')).status).toBe(404)
})

test('an address on this machine is not asked, and a handle is no address', async () => {
  expect((await example('inward')).status).toBe(404)
  expect(inside.requests).toEqual([])
  expect((await named('made_just_now')).headerExamples).toEqual([null])
  expect((await example('made_just_now')).status).toBe(404)
})
