import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type ChannelClient, createChannelClient } from '../../../src/graph/client.ts'
import { SANDBOX } from '../../../src/sandbox/server.ts'
import { checkDraft } from '../../../src/templates/authoring/check.ts'
import type { TemplateDraft } from '../../../src/templates/authoring/draft.ts'
import { draftOf } from '../../../src/templates/authoring/read.ts'
import { componentsOf } from '../../../src/templates/authoring/wire.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { createTransport, type Transport } from '../../../src/transport/transport.ts'
import { mp4, png, type Rig, startRig } from '../../sandbox/rig.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import {
  app,
  authentication,
  card,
  carousel,
  copyCode,
  draft,
  image,
  kinds,
  offer,
  oneTimeCode,
  quickReply,
  url,
} from './drafts.ts'

setDefaultTimeout(hungAfterMs)

let rig: Rig
let transport: Transport
let client: ChannelClient
let handles: Record<string, string>
const account = { accountId: SANDBOX.accountId, accessToken: SANDBOX.accessToken }
const pdf = new TextEncoder().encode('%PDF-1.7')

beforeAll(async () => {
  rig = await startRig()
  transport = createTransport(systemClock)
  const settings = { apiUrl: rig.sandbox.url, apiVersion: 'v25.0', timeoutMs: 5_000 }
  client = createChannelClient(transport, settings)
})
afterAll(async () => {
  transport.close()
  await rig.stop()
})
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
function bodyOf(given: TemplateDraft) {
  const { name, language, category, parameterFormat, lifetimeSeconds } = given
  const template = {
    name,
    language,
    category,
    parameter_format: parameterFormat,
    components: componentsOf(given),
    ...(lifetimeSeconds !== null && { message_send_ttl_seconds: lifetimeSeconds }),
  }
  return JSON.parse(JSON.stringify(template).replace(/\{(image|video|document)\}/g, key => handles[key] ?? key))
}
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

/** As a listing gives the draft back: without handles. */
const listed = (given: TemplateDraft): TemplateDraft =>
  JSON.parse(JSON.stringify(given).replace(/"handle":"[^"]*","fileName":"[^"]*"/g, '"handle":"","fileName":""'))

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

interface Broken {
  readonly draft: TemplateDraft
  readonly path: string
  /** The rule is the contract's or ours; the upstream says nothing of it, or more than this. */
  readonly isOurs?: true
}

const broken: Readonly<Record<string, Broken>> = {
  'no name': { draft: draft({ name: '' }), path: '/name' },
  'upper case in the name': { draft: draft({ name: 'Order' }), path: '/name' },
  'a name of 513 characters': { draft: draft({ name: 'x'.repeat(513) }), path: '/name' },
  'a language that is none': { draft: draft({ language: 'English' }), path: '/language' },
  'a body of 1,025 characters': { draft: draft(text('x'.repeat(1_025))), path: '/body/text' },
  'no body': { draft: draft(text(' ')), path: '/body/text' },
  'three line breaks in a row': { draft: draft(text('One\n\n\nTwo')), path: '/body/text' },
  'a variable at the start': { draft: draft(text('{{1}}, your order is ready')), path: '/body/text' },
  'a variable at the end': { draft: draft(text('Your order has the number {{1}}')), path: '/body/text' },
  'a gap in the variables': { draft: draft(text('Your orders {{1}} and {{3}} are ready for you')), path: '/body/text' },
  'variables that begin at 0': { draft: draft(text('Your order {{0}} is ready for you')), path: '/body/text' },
  'a name among numbers': { draft: draft(text('Your order {{order}} is ready')), path: '/body/text' },
  'two variables side by side': { draft: draft(text('Your order {{1}} {{2}} is ready for you')), path: '/body/text' },
  'too few words': { draft: draft(text('Hi {{1}} and {{2}} bye')), path: '/body/text' },
  'a variable that is not closed': { draft: draft(text('Your order {{1} is ready')), path: '/body/text' },
  'a variable with a blank in its name': { draft: draft(text('Your order {{my order}} is ready')), path: '/body/text' },
  'a variable without a name': { draft: draft(text('Your order {{}} is ready')), path: '/body/text' },
  'upper case in a variable': {
    draft: named('Your order {{Order}} is ready', { Order: 'x' }),
    path: '/body/text',
  },
  'a number among names': { draft: named('Your order {{1}} is ready', { '1': 'x' }), path: '/body/text' },
  'no example for a variable': {
    draft: draft(text('Your orders {{1}} and {{2}} are ready', { '1': 'a' })),
    path: '/body/examples/2',
  },
  'an example that is blank': {
    draft: draft(text('Your order {{1}} is ready', { '1': '  ' })),
    path: '/body/examples/1',
    isOurs: true,
  },
  'a line break in an example': {
    draft: draft(text('Your order {{1}} is ready', { '1': 'a\nb' })),
    path: '/body/examples/1',
    isOurs: true,
  },
  'a header of 61 characters': { draft: draft(header('x'.repeat(61))), path: '/header/text' },
  'an empty header': { draft: draft(header('')), path: '/header/text' },
  'a line break in the header': { draft: draft(header('a\nb')), path: '/header/text' },
  'an emoji in the header': { draft: draft(header('Sale 🎉')), path: '/header/text' },
  'markup in the header': { draft: draft(header('*Sale*')), path: '/header/text' },
  'two variables in the header': { draft: draft(header('From {{1}} to {{2}}')), path: '/header/text' },
  'a header that counts from 2': { draft: draft(header('For {{2}}')), path: '/header/text' },
  'no example for the header': { draft: draft(header('For {{1}}', '')), path: '/header/example', isOurs: true },
  'no example file': { draft: draft({ header: { ...image, handle: '' } }), path: '/header/handle' },
  'a footer of 61 characters': { draft: draft({ footer: 'x'.repeat(61) }), path: '/footer' },
  'a blank footer': { draft: draft({ footer: '  ' }), path: '/footer' },
  'a variable in the footer': { draft: draft({ footer: 'For {{1}}' }), path: '/footer' },
  'plain http': { draft: buttons(url('http://shop.example')), path: '/buttons/0/url' },
  'an address with a blank': { draft: buttons(url('https://shop.example/a b')), path: '/buttons/0/url' },
  'an address that begins with a blank': { draft: buttons(url(' https://shop.example')), path: '/buttons/0/url' },
  'an address of 2,001 characters': {
    draft: buttons(url(`https://shop.example/${'x'.repeat(1_980)}`)),
    path: '/buttons/0/url',
  },
  'an address without a host': { draft: buttons(url('https://:80')), path: '/buttons/0/url' },
  'a variable within the address': { draft: buttons(url('https://a.example/{{1}}/x')), path: '/buttons/0/url' },
  'two variables in the address': { draft: buttons(url('https://a.example/{{1}}{{2}}')), path: '/buttons/0/url' },
  'another variable than {{1}} in the address': {
    draft: buttons(url('https://a.example/{{2}}')),
    path: '/buttons/0/url',
    isOurs: true,
  },
  'no example for the address': {
    draft: buttons(url('https://a.example/{{1}}', '')),
    path: '/buttons/0/example',
    isOurs: true,
  },
  'a label of 26 characters': { draft: buttons(quickReply('x'.repeat(26))), path: '/buttons/0/text' },
  'no label': { draft: buttons(quickReply(' ')), path: '/buttons/0/text' },
  'a variable in a label': { draft: buttons(quickReply('For {{1}}')), path: '/buttons/0/text' },
  'a phone number of 21 characters': { draft: buttons(phone('+12345678901234567890')), path: '/buttons/0/phone' },
  'a phone number with letters': { draft: buttons(phone('+49 CALL')), path: '/buttons/0/phone' },
  'no example for a code': { draft: buttons({ kind: 'copyCode', example: '' }), path: '/buttons/0/example' },
  'a code of 16 characters': {
    draft: buttons({ kind: 'copyCode', example: 'x'.repeat(16) }),
    path: '/buttons/0/example',
  },
  'a flow that navigates nowhere': { draft: buttons(flow({ screen: '' })), path: '/buttons/0/screen' },
  'a flow without an id': { draft: buttons(flow({ flowId: 'x' })), path: '/buttons/0/flowId', isOurs: true },
  'eleven buttons': {
    draft: buttons(...Array.from({ length: 11 }, (_, at) => quickReply(`A ${at}`))),
    path: '/buttons',
  },
  'three addresses': { draft: buttons(url(), url(), url()), path: '/buttons' },
  'two phone numbers': { draft: buttons(phone('+1'), phone('+2')), path: '/buttons' },
  'two codes': { draft: buttons(copyCode, copyCode), path: '/buttons' },
  'an address between quick replies': { draft: buttons(quickReply('a'), url(), quickReply('b')), path: '/buttons' },
  'a catalog beside another button': {
    draft: buttons({ kind: 'catalog', text: 'View' }, quickReply('No')),
    path: '/buttons',
  },
  'a product button without a product': { draft: buttons({ kind: 'singleProduct', text: 'View' }), path: '/buttons' },
  'a one-time code in a message': { draft: buttons(oneTimeCode()), path: '/buttons' },
  'a carousel that is no marketing': { draft: carousel(undefined, { category: 'UTILITY' }), path: '/cards' },
  'one card': { draft: carousel([card()]), path: '/cards' },
  'eleven cards': { draft: carousel(Array.from({ length: 11 }, () => card())), path: '/cards' },
  'cards with other buttons': { draft: carousel([card(), card({ buttons: [quickReply('More')] })]), path: '/cards/1' },
  'cards with other headers': {
    draft: carousel([card(), card({ header: { kind: 'video', handle: '{video}', fileName: '' } })]),
    path: '/cards/1',
  },
  'a card without the text of the others': { draft: carousel([card(), card({ body: null })]), path: '/cards/1' },
  'a card with a text as its header': {
    draft: carousel([card(header('Sale')), card(header('Sale'))]),
    path: '/cards/0/header',
  },
  'a card of 161 characters': {
    draft: carousel([card(text('x'.repeat(161))), card()]),
    path: '/cards/0/body/text',
  },
  'a card without buttons': {
    draft: carousel([card({ buttons: [] }), card({ buttons: [] })]),
    path: '/cards/0/buttons',
  },
  'a card with three buttons': {
    draft: carousel([1, 2].map(() => card({ buttons: [quickReply('a'), quickReply('b'), quickReply('c')] }))),
    path: '/cards/0/buttons',
  },
  'a card with a code': {
    draft: carousel([card({ buttons: [copyCode] }), card({ buttons: [copyCode] })]),
    path: '/cards/0/buttons',
  },
  'a carousel with a footer': { draft: carousel(undefined, { footer: 'x' }), path: '/footer' },
  'a carousel with a header': { draft: carousel(undefined, header('Sale')), path: '/header' },
  'a carousel with its own buttons': { draft: carousel(undefined, { buttons: [quickReply('x')] }), path: '/buttons' },
  'an offer that is no marketing': { draft: offer({ category: 'UTILITY' }), path: '/offer' },
  'an offer of 17 characters': {
    draft: offer({ offer: { text: 'x'.repeat(17), hasExpiration: true } }),
    path: '/offer/text',
  },
  'an offer without a text': { draft: offer({ offer: { text: '', hasExpiration: true } }), path: '/offer/text' },
  'an offer with a footer': { draft: offer({ footer: 'x' }), path: '/footer' },
  'an offer with a text as its header': { draft: offer(header('Sale')), path: '/header' },
  'an offer with the code last': { draft: offer({ buttons: [url(), copyCode] }), path: '/buttons' },
  'an offer of 601 characters': { draft: offer(text('x'.repeat(601))), path: '/body/text' },
  'an authentication without its button': { draft: authentication({ buttons: [] }), path: '/buttons' },
  'a code that expires after 91 minutes': {
    draft: authentication({ code: { securityRecommendation: true, expirationMinutes: 91 } }),
    path: '/code/expirationMinutes',
  },
  'one tap without an app': {
    draft: authentication({ buttons: [oneTimeCode({ way: 'ONE_TAP' })] }),
    path: '/buttons/0/apps',
  },
  'six apps': {
    draft: authentication({ buttons: [oneTimeCode({ way: 'ONE_TAP', apps: Array.from({ length: 6 }, () => app) })] }),
    path: '/buttons/0/apps',
  },
  'a package of one part': {
    draft: authentication({ buttons: [oneTimeCode({ way: 'ONE_TAP', apps: [{ ...app, packageName: 'example' }] })] }),
    path: '/buttons/0/apps/0/packageName',
  },
  'a hash of ten characters': {
    draft: authentication({
      buttons: [oneTimeCode({ way: 'ONE_TAP', apps: [{ ...app, signatureHash: 'K8a/AINcGX' }] })],
    }),
    path: '/buttons/0/apps/0/signatureHash',
  },
  'zero tap without the terms': {
    draft: authentication({ buttons: [oneTimeCode({ way: 'ZERO_TAP', apps: [app] })] }),
    path: '/buttons/0/termsAccepted',
  },
  'a text for an authentication': { draft: authentication(text('Your code')), path: '/body/text', isOurs: true },
  'a time to deliver of 29 seconds': { draft: draft({ lifetimeSeconds: 29 }), path: '/lifetimeSeconds' },
  'a time to deliver a code of 901 seconds': {
    draft: authentication({ lifetimeSeconds: 901 }),
    path: '/lifetimeSeconds',
  },
  'a time to deliver for marketing': { draft: offer({ lifetimeSeconds: 60 }), path: '/lifetimeSeconds' },
}

describe('each broken rule is found at its field, and refused by the stand-in as well', () => {
  test.each(Object.entries(broken))('%s', async (_, { draft: given, path, isOurs }) => {
    const issues = checkDraft(given)
    expect(issues.map(issue => issue.path)).toContain(path)
    for (const { message } of issues) expect(message).toMatch(/^(must|needs?|has|is|cannot) /)
    if (!isOurs) expect(await create(given)).toMatchObject({ kind: 'refused', refusal: { fault: { code: 100 } } })
  })
})
