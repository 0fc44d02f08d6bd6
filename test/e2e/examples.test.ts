import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { sendExamples } from '../../src/partner/sendExamples.ts'
import { type Files, files, startFiles } from '../media/files.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type Stack, startStack } from './stack.ts'

setDefaultTimeout(hungAfterMs)

let stack: Stack
let fileServer: Files
/** What a reader of the API document replaces by his own before sending: ids, and addresses where nobody is. */
let own: readonly (readonly [example: string, own: string])[]

beforeAll(async () => {
  stack = await startStack()
  await stack.sync()
  fileServer = startFiles(() => new Response(files.jpeg))
  const { id } = await stack.contact()
  own = [
    ['contact_01jd4v7m9xf5ksxj1q5y8p0c3d', id],
    ['line_01jd4v7m9xf5ksxj1q5y8p0c3e', stack.line.id],
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

test.each(Object.entries(sendExamples))('201: %s, as it stands in the API document', async (_, { value }) => {
  const body = own.reduce((text, [example, mine]) => text.replaceAll(example, mine), JSON.stringify(value))
  const sent = await stack.send(body)
  expect([sent.status, sent.json.data?.status ?? sent.text]).toEqual([201, 'SENT'])
})
