import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs } from '../../src/base/durations.ts'
import { sharedFixture } from '../fixture.ts'
import { files, startFiles } from '../media/outgoing/files.ts'
import { chatwoot, listing } from './recorded/chatwoot.ts'
import { type Address, perform, shapeOf, startClientStack } from './recorded/clients.ts'
import { evolution } from './recorded/evolution.ts'
import { typebot } from './recorded/typebot.ts'
import { user } from './stack.ts'

/*
 * Calls of programs that are not run here, written anew from what their code does. What each reads of the answer is the
 * same straight at the stand-in of the platform and through the gateway: nothing is refused that the stand-in takes.
 */

const stack = sharedFixture(startClientStack)
const types = {
  'photo.png': files.png,
  'guide.mp4': files.mp42,
  'invoice.pdf': files.pdf,
  'voice.ogg': Buffer.from(files.opus),
}
/** Files of sends. Chatwoot names its own by an address that leads to another. */
const served = sharedFixture(() =>
  startFiles((path, { url }) => {
    const [name, bytes] = Object.entries(types).find(([each]) => path.endsWith(each)) ?? []
    return path === `/${name}` ? new Response(bytes) : Response.redirect(new URL(`/${name}`, url).href)
  }),
)
const values: Record<string, string> = {}
const ways = ['through', 'straight'] as const
beforeAll(async () => {
  // A review that ends between two calls would make them differ.
  stack.control.configure({ reviewAfterMs: dayMs })
  values.files = served.url
  const [uploaded] = typebot.filter(({ form }) => form)
  if (!uploaded) throw new Error('one call uploads a file')
  values.media = String((await perform(stack, stack.through, uploaded)).read)
})
beforeEach(async () => {
  const written = await stack.control.inbound({ kind: 'text', from: user })
  values.inbound = written?.wamid ?? ''
  // Templates that a call changes or deletes.
  for (const name of ways.flatMap(way => [`kept_${way}`, `edited_${way}`]))
    stack.control.putTemplate({ name, language: 'en', components: [{ type: 'BODY', text: 'Thank you.' }] })
  await stack.sync()
})

const clients = { chatwoot, typebot, evolution }
describe.each(Object.entries(clients))('%s', (name, calls) => {
  test.each(calls.map(call => [call.title, call] as const))('%s', async (_title, call) => {
    const made = (address: Address, way: (typeof ways)[number]) => {
      const [kept, edited] = [`kept_${way}`, `edited_${way}`]
      const editedId = stack.control.templates().find(template => template.name === edited)?.id ?? ''
      return perform(stack, address, call, { ...values, own: `${name}_${way}`, kept, edited, editedId })
    }
    const through = await made(stack.through, 'through')
    const straight = 'needs' in call ? { status: 200, read: call.needs } : await made(stack.straight, 'straight')
    expect(straight.status >= 400).toBe(call.isRefused === true)
    expect(shapeOf(through)).toEqual(shapeOf(straight))
  })
})

test('chatwoot > follows the pages of templates word for word', async () => {
  const whole = await perform(stack, stack.through, listing)
  const paged = await perform(stack, stack.through, { ...listing, path: `${listing.path}&limit=3` })
  expect(paged).toEqual(whole)
  expect(paged.read).toHaveLength(stack.control.templates().length)
})
