import { beforeEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../../src/base/clock.ts'
import { createChannelClient } from '../../../src/graph/client.ts'
import { SANDBOX } from '../../../src/sandbox/server.ts'
import { checkDraft } from '../../../src/templates/authoring/check.ts'
import type { TemplateDraft } from '../../../src/templates/authoring/draft.ts'
import { draftOf } from '../../../src/templates/authoring/read.ts'
import { componentsOf } from '../../../src/templates/authoring/wire.ts'
import { createTransport } from '../../../src/transport/transport.ts'
import { sharedFixture } from '../../fixture.ts'
import { mp4, png, startRig } from '../../sandbox/rig.ts'
import {
  app,
  authentication,
  card,
  carousel,
  copyCode,
  creationOf,
  draft,
  image,
  kinds,
  offer,
  oneTimeCode,
  quickReply,
  url,
} from './drafts.ts'

const rig = sharedFixture(startRig)
const transport = sharedFixture(() => createTransport(systemClock))
const client = sharedFixture(() =>
  createChannelClient(transport, { apiUrl: rig.sandbox.url, apiVersion: 'v25.0', timeoutMs: 5_000 }),
)
let handles: Record<string, string>
const account = { accountId: SANDBOX.accountId, accessToken: SANDBOX.accessToken }
const pdf = new TextEncoder().encode('%PDF-1.7')

beforeEach(async () => {
  rig.sandbox.control.reset()
  const upload = async (mime: string, bytes: Uint8Array) => {
    const call = { appId: SANDBOX.appId, accessToken: SANDBOX.accessToken, fileName: 'example', mime, bytes }
    const uploaded = await client.uploadExample(call)
    if (uploaded.kind !== 'done') throw new Error('the example was not uploaded')
    return uploaded.handle
  }
  handles = {
    '{image}': await upload('image/png', png),
    '{video}': await upload('video/mp4', mp4),
    '{document}': await upload('application/pdf', pdf),
  }
})

/** The draft's creation, with the handles of real uploads. */
const bodyOf = (given: TemplateDraft) =>
  JSON.parse(JSON.stringify(creationOf(given)).replace(/\{(image|video|document)\}/g, key => handles[key] ?? key))
const create = (given: TemplateDraft) => client.createTemplate({ ...account, template: bodyOf(given) })

describe('what our rules let through, the stand-in accepts', () => {
  test.each(Object.entries(kinds))('%s', async (_, given) => {
    expect(checkDraft(given)).toEqual([])
    expect(await create(given)).toMatchObject({ kind: 'done', status: 'PENDING' })
    const listing = await client.listTemplates(account)
    if (listing.kind !== 'listed') throw new Error(listing.message)
    const record = listing.templates.find(({ name }) => name === given.name)
    if (!record) throw new Error('not listed')
    // Files and the time to deliver are not in a listing; the rest comes back as it was written.
    const { draft: read, lost } = draftOf(record)
    expect(lost).toEqual([])
    expect({ ...read, lifetimeSeconds: given.lifetimeSeconds }).toEqual(listed(given))
  })
})

test('a number of a button goes as digits, however it was pasted', async () => {
  expect(componentsOf(buttons(phone('\u202a+49 30 23125042\u202c')))).toContainEqual({
    type: 'BUTTONS',
    buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+493023125042' }],
  })
})

/** As a listing gives the draft back: without handles, and with the names in the addresses of the files. */
const listed = (given: TemplateDraft): TemplateDraft =>
  JSON.parse(JSON.stringify(given).replace(/"handle":"[^"]*","fileName":"[^"]*"/g, '"handle":"","fileName":"example"'))

const text = (words: string, examples: Record<string, string> = { '1': 'a', '2': 'b', '3': 'c' }) => ({
  body: { text: words, examples },
})
const header = (words: string, example = 'x') => ({ header: { kind: 'text', text: words, example } }) as const
const phone = (number: string) => ({ kind: 'phone', text: 'Call', phone: number }) as const
const flow = (fields: object) =>
  ({ kind: 'flow', text: 'Book', flowId: '1', action: 'navigate', screen: 'A', ...fields }) as const
const named = (words: string, examples: Record<string, string>) =>
  draft({ parameterFormat: 'NAMED', ...text(words, examples) })
const buttons = (...list: TemplateDraft['buttons']) => draft({ buttons: list })

/** The field that is named, what is wrong with it, and the draft. Bounds and patterns: edges.test.ts. */
type Broken = readonly [path: string, what: string, draft: TemplateDraft]

const broken: readonly Broken[] = [
  ['/name', 'no name', draft({ name: '' })],
  ['/body/text', 'no body', draft(text(' '))],
  ['/body/text', 'a variable at the start', draft(text('{{1}}, your order is ready'))],
  ['/body/text', 'a variable at the end', draft(text('Your order has the number {{1}}'))],
  ['/body/text', 'a gap in the variables', draft(text('Your orders {{1}} and {{3}} are ready for you'))],
  ['/body/text', 'variables that begin at 0', draft(text('Your order {{0}} is ready for you'))],
  ['/body/text', 'a name among numbers', draft(text('Your order {{order}} is ready'))],
  ['/body/text', 'a variable that is not closed', draft(text('Your order {{1} is ready'))],
  ['/body/text', 'a variable with a blank in its name', draft(text('Your order {{my order}} is ready'))],
  ['/body/text', 'a variable without a name', draft(text('Your order {{}} is ready'))],
  ['/body/text', 'a number among names', named('Your order {{1}} is ready', { '1': 'x' })],
  ['/body/examples/2', 'no example for a variable', draft(text('Your orders {{1}} and {{2}} are ready', { '1': 'a' }))],
  ['/header/text', 'an empty header', draft(header(''))],
  ['/header/text', 'two variables in the header', draft(header('From {{1}} to {{2}}'))],
  ['/header/text', 'a header that counts from 2', draft(header('For {{2}}'))],
  ['/header/handle', 'no example file', draft({ header: { ...image, handle: '' } })],
  ['/footer', 'a blank footer', draft({ footer: '  ' })],
  ['/footer', 'a variable in the footer', draft({ footer: 'For {{1}}' })],
  ['/footer', 'a carousel with a footer', carousel(undefined, { footer: 'x' })],
  ['/footer', 'an offer with a footer', offer({ footer: 'x' })],
  ['/buttons/0/url', 'plain http', buttons(url('http://shop.example'))],
  ['/buttons/0/url', 'an address with a blank', buttons(url('https://shop.example/a b'))],
  ['/buttons/0/url', 'an address that begins with a blank', buttons(url(' https://shop.example'))],
  ['/buttons/0/url', 'an address without a host', buttons(url('https://:80'))],
  ['/buttons/0/url', 'a variable within the address', buttons(url('https://a.example/{{1}}/x'))],
  ['/buttons/0/url', 'two variables in the address', buttons(url('https://a.example/{{1}}{{2}}'))],
  ['/buttons/0/text', 'no label', buttons(quickReply(' '))],
  ['/buttons/0/text', 'a variable in a label', buttons(quickReply('For {{1}}'))],
  ['/buttons/0/phone', 'a phone number with letters', buttons(phone('+49 CALL'))],
  ['/buttons/0/example', 'no example for a code', buttons({ kind: 'copyCode', example: '' })],
  ['/buttons/0/screen', 'a flow that navigates nowhere', buttons(flow({ screen: '' }))],
  ['/buttons', 'an address between quick replies', buttons(quickReply('a'), url(), quickReply('b'))],
  ['/buttons', 'a catalog beside another button', buttons({ kind: 'catalog', text: 'View' }, quickReply('No'))],
  ['/buttons', 'a product button without a product', buttons({ kind: 'singleProduct', text: 'View' })],
  ['/buttons', 'a one-time code in a message', buttons(oneTimeCode())],
  ['/buttons', 'a carousel with its own buttons', carousel(undefined, { buttons: [quickReply('x')] })],
  ['/buttons', 'an offer with the code last', offer({ buttons: [url(), copyCode] })],
  ['/buttons', 'an offer with a quick reply', offer({ buttons: [quickReply('No'), url()] })],
  ['/buttons', 'an authentication without its button', authentication({ buttons: [] })],
  ['/cards', 'a carousel that is no marketing', carousel(undefined, { category: 'UTILITY' })],
  ['/cards/1', 'cards with other buttons', carousel([card(), card({ buttons: [quickReply('More')] })])],
  [
    '/cards/1',
    'cards with other headers',
    carousel([card(), card({ header: { kind: 'video', handle: '{video}', fileName: '' } })]),
  ],
  ['/cards/1', 'a card without the text of the others', carousel([card(), card({ body: null })])],
  ['/cards/0/header', 'a card with a text as its header', carousel([card(header('Sale')), card(header('Sale'))])],
  ['/cards/0/buttons', 'a card with a code', carousel([card({ buttons: [copyCode] }), card({ buttons: [copyCode] })])],
  ['/header', 'a carousel with a header', carousel(undefined, header('Sale'))],
  ['/header', 'an offer with a text as its header', offer(header('Sale'))],
  ['/offer', 'an offer that is no marketing', offer({ category: 'UTILITY' })],
  ['/offer/text', 'an offer without a text', offer({ offer: { text: '', hasExpiration: true } })],
  [
    '/buttons/0/termsAccepted',
    'zero tap without the terms',
    authentication({ buttons: [oneTimeCode({ way: 'ZERO_TAP', apps: [app] })] }),
  ],
  ['/lifetimeSeconds', 'a time to deliver for marketing', offer({ lifetimeSeconds: 60 })],
]

/** The rule is the contract's or ours; the upstream says nothing of it, or more than this. */
const brokenForUs: readonly Broken[] = [
  ['/body/examples/1', 'an example that is blank', draft(text('Your order {{1}} is ready', { '1': '  ' }))],
  ['/header/example', 'no example for the header', draft(header('For {{1}}', ''))],
  ['/buttons/0/url', 'another variable than {{1}} in the address', buttons(url('https://a.example/{{2}}'))],
  ['/buttons/0/example', 'no example for the address', buttons(url('https://a.example/{{1}}', ''))],
  ['/buttons/0/flowId', 'a flow without an id', buttons(flow({ flowId: 'x' }))],
  ['/body/text', 'a text for an authentication', authentication(text('Your code'))],
  ['/cards', 'a card for an authentication', authentication({ cards: [card()] })],
  ['/buttons/0/apps', 'an app for a code to copy', authentication({ buttons: [oneTimeCode({ apps: [app] })] })],
]

function expectNamed(given: TemplateDraft, path: string) {
  const issues = checkDraft(given)
  expect(issues.map(issue => issue.path)).toContain(path)
  for (const { message } of issues) expect(message).toMatch(/^(must|needs?|has|is|cannot) /)
}

describe('each broken rule is found at its field', () => {
  test.each(broken)('%s: %s, and the stand-in refuses it as well', async (path, _, given) => {
    expectNamed(given, path)
    expect(await create(given)).toMatchObject({ kind: 'refused', refusal: { fault: { code: 100 } } })
  })

  test.each(brokenForUs)('%s: %s', (path, _, given) => expectNamed(given, path))
})
