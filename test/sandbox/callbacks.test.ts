import { afterEach, describe, expect, test } from 'bun:test'
import { isSameMessage } from '../../src/message/sameMessage.ts'
import { escapeJson, signatureOf } from '../../src/sandbox/callbacks/signing.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { BOUNDS } from '../../src/sandbox/state/defaults.ts'
import { onlyDigits } from '../../src/sandbox/state/phone.ts'
import { asUserSees } from '../../src/sandbox/state/random.ts'
import { freshFixture } from '../fixture.ts'
import {
  at,
  body,
  button,
  lineId,
  type Posted,
  type Rig,
  startReceiver,
  startRig,
  statusesOf,
  turn,
  user,
  wamidOf,
} from './rig.ts'

const receiver = freshFixture(startReceiver)
const rig = freshFixture(() => startRig({ callbackUrl: receiver.url }))
afterEach(() => expect(rig.clock.pending).toBe(0))

/** The id of a message as the user sees it. */
const seen = (wamid: string) => asUserSees(wamid, onlyDigits(user))
const inboundOf = (post: Posted) => at(post.json, 'entry', 0, 'changes', 0, 'value', 'messages', 0)
const steps = async (count: number) => {
  const seen: unknown[] = []
  while (seen.length < count) seen.push(...statusesOf(await receiver.next()))
  return seen
}
/** The next POST, which this call leads to. */
async function heard(call: Promise<unknown>): Promise<Posted> {
  const [post] = await Promise.all([receiver.next(), call])
  return post
}
const words = (statuses: unknown[]) => statuses.map(status => at(status, 'status'))

describe('signature', () => {
  test('the documented vector: escapes in lower-case hex, hashed as sent', () => {
    const body = escapeJson('{"t":"äöå 😀"}')
    expect(body).toBe('{"t":"\\u00e4\\u00f6\\u00e5 \\ud83d\\ude00"}')
    expect(body).toHaveLength(39)
    expect(signatureOf(body, 'app-secret')).toBe(
      'sha256=6d1a56640782306c8bdca2feac034642ce7126ebb884b2045a3e01c5efe1f573',
    )
  })

  test('each POST is signed over exactly its bytes, all of them ASCII', async () => {
    const text = 'Grüße 😀 https://x.example/a'
    const post = await heard(rig.sandbox.control.inbound({ kind: 'text', from: user, text }))
    expect(post.signature).toBe(signatureOf(post.text, SANDBOX.appSecret))
    expect(post.text).toMatch(/^[\x20-\x7e]+$/)
    expect(at(inboundOf(post), 'text', 'body')).toBe(text)
  })

  test('slashes are escaped on demand, and the signature is over that form', async () => {
    rig.sandbox.control.configure({ callbacks: { escapeSlashes: true } })
    const post = await heard(rig.sandbox.control.inbound({ kind: 'text', from: user, text: 'a/b' }))
    expect(post.text).toContain('a\\/b')
    expect(post.signature).toBe(signatureOf(post.text, SANDBOX.appSecret))
  })

  test('wrong, truncated and missing signatures on demand', async () => {
    const { control } = rig.sandbox
    for (const [mode, check] of [
      ['wrong', (header: string | null) => header?.length === 71],
      ['truncated', (header: string | null) => header?.length === 63],
      ['missing', (header: string | null) => header === null],
    ] as const) {
      control.configure({ callbacks: { signature: mode } })
      const post = await heard(control.inbound({ kind: 'text', from: user }))
      expect(check(post.signature)).toBe(true)
      expect(post.signature).not.toBe(signatureOf(post.text, SANDBOX.appSecret))
    }
  })
})

describe('statuses of a send', () => {
  test('sent, delivered, read come at their moments, with opaque data and pricing', async () => {
    const wamid = wamidOf(await rig.text({ biz_opaque_callback_data: 'msg_1' }))
    rig.clock.advance(99)
    expect(receiver.posted).toHaveLength(0)
    rig.clock.advance(1)
    const [sent] = await steps(1)
    expect(sent).toEqual({
      id: wamid,
      status: 'sent',
      timestamp: String(Math.floor(rig.clock.now() / 1_000)),
      recipient_id: '16505551234',
      biz_opaque_callback_data: 'msg_1',
      pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
    })
    rig.clock.advance(200)
    expect(words(await steps(1))).toEqual(['delivered'])
    rig.clock.advance(500)
    const [read] = await steps(1)
    expect(at(read, 'status')).toBe('read')
    expect(at(read, 'biz_opaque_callback_data')).toBe('msg_1')
  })

  test('the envelope names the account, and metadata names the line', async () => {
    await rig.text()
    rig.clock.advance(100)
    const { json } = await receiver.next()
    expect(at(json, 'object')).toBe('whatsapp_business_account')
    expect(at(json, 'entry', 0, 'id')).toBe(SANDBOX.accountId)
    expect(at(json, 'entry', 0, 'changes', 0, 'value', 'metadata')).toEqual({
      display_phone_number: '15550783881',
      phone_number_id: lineId,
    })
  })

  test('many statuses share a POST, up to the bound', async () => {
    rig.sandbox.control.configure({ callbacks: { batchMax: 10 } })
    await Promise.all(Array.from({ length: 25 }, () => rig.text()))
    rig.clock.advance(100)
    const posts = await Promise.all([receiver.next(), receiver.next(), receiver.next()])
    expect(posts.map(post => statusesOf(post).length).sort()).toEqual([10, 10, 5].sort())
  })

  test('early: all callbacks are there before the send is answered', async () => {
    rig.sandbox.control.configure({ callbacks: { early: true } })
    await rig.text({ biz_opaque_callback_data: 'msg_2' })
    expect(receiver.posted.flatMap(post => words(statusesOf(post)))).toEqual(['sent', 'delivered', 'read'])
  })

  test('reversed, and each twice', async () => {
    rig.sandbox.control.configure({ callbacks: { reversed: true, copies: 2 } })
    await rig.text()
    rig.clock.advance(800)
    expect(words(await steps(6)).sort()).toEqual(['delivered', 'delivered', 'read', 'read', 'sent', 'sent'])
    const [first] = receiver.posted
    expect(first && words(statusesOf(first))[0]).toBe('read')
  })

  test('silent: nothing comes', async () => {
    rig.sandbox.control.configure({ callbacks: { silent: true } })
    await rig.text()
    rig.clock.advance(10_000)
    expect(rig.sandbox.control.pending()).toMatchObject({ statuses: 0, waiting: 0 })
    expect(receiver.posted).toHaveLength(0)
  })

  test('user ids, no recipient_id, old timestamps, and a bad entry among good ones', async () => {
    rig.sandbox.control.configure({
      callbacks: { userIds: true, withoutRecipientId: true, timestampShiftS: -3_600, badEntry: true },
    })
    await rig.text()
    rig.clock.advance(100)
    const post = await receiver.next()
    const status = statusesOf(post).find(found => typeof found === 'object')
    expect(at(status, 'recipient_id')).toBeUndefined()
    expect(at(status, 'recipient_user_id')).toMatch(/^US\.\d+$/)
    expect(Number(at(status, 'timestamp'))).toBe(Math.floor(rig.clock.now() / 1_000) - 3_600)
    expect(post.text).toContain('"statuses":["?"]')
    expect(post.text).toContain('"user_id"')
  })
})

describe('repeats', () => {
  test('anything but 200 is repeated with growing gaps, the same bytes each time', async () => {
    const failing = startReceiver((_, count) => new Response('', { status: count < 4 ? 503 : 200 }))
    rig.sandbox.control.setCallbackUrl(failing.url)
    await rig.sandbox.control.inbound({ kind: 'text', from: user })
    rig.clock.advance(0)
    const first = await failing.next()
    expect((await failing.next()).text).toBe(first.text)
    for (const [count, gapMs] of [
      [3, 1_000],
      [4, 5_000],
    ] as const) {
      // The answer to the earlier attempt is on its way: the repeat is planned once it is in.
      while (rig.sandbox.control.pending().repeats === 0) await turn()
      rig.clock.advance(gapMs - 1)
      expect(failing.posted).toHaveLength(count - 1)
      rig.clock.advance(1)
      expect((await failing.next()).text).toBe(first.text)
    }
    while (rig.sandbox.control.deliveries().length < 4) await turn()
    expect(rig.sandbox.control.deliveries().map(({ attempt, status }) => ({ attempt, status }))).toEqual([
      { attempt: 1, status: 503 },
      { attempt: 2, status: 503 },
      { attempt: 3, status: 503 },
      { attempt: 4, status: 200 },
    ])
    expect(rig.sandbox.control.pending().repeats).toBe(0)
    await failing.stop()
  })
})

describe('what is under way', () => {
  const failed = () => new Response('', { status: 500 })
  const written = { kind: 'text', from: user } as const

  /** A receiver that never answers. */
  function startMute() {
    const arrived = Promise.withResolvers<void>()
    const mute = startReceiver(() => {
      arrived.resolve()
      return new Promise(() => {})
    })
    return { mute, arrived: arrived.promise }
  }

  test('repeats that are due at once keep the bound on parallel POSTs', async () => {
    const { control } = rig.sandbox
    const held: (() => void)[] = []
    let isHolding = false
    const slow = startReceiver(() => {
      if (!isHolding) return failed()
      return new Promise(resolve => held.push(() => resolve(new Response('ok'))))
    })
    control.setCallbackUrl(slow.url)
    control.configure({ callbacks: { parallelMax: 2, retryGapsMs: [1_000] } })
    for (let count = 0; count < 6; count += 1) await control.inbound(written)
    expect(control.pending()).toMatchObject({ repeats: 6, unanswered: 0 })
    isHolding = true
    rig.clock.advance(1_000)
    expect(control.pending()).toMatchObject({ repeats: 4, unanswered: 2 })
    while (control.pending().unanswered > 0) {
      expect(held.length).toBeLessThanOrEqual(2)
      for (const release of held.splice(0)) release()
      await turn()
    }
    expect(control.pending()).toMatchObject({ repeats: 0, waiting: 0 })
    expect(control.deliveries().map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      ...Array(6).fill('1 500'),
      ...Array(6).fill('2 200'),
    ])
    await slow.stop()
  })

  test('a reset gives up what is unanswered: it is neither repeated nor listed afterwards', async () => {
    const { control } = rig.sandbox
    const { mute, arrived } = startMute()
    control.setCallbackUrl(mute.url)
    const told = control.inbound(written)
    await arrived
    control.reset()
    expect(await told).toMatchObject({ status: 0 })
    expect(control.deliveries()).toEqual([])
    expect(control.pending()).toMatchObject({ repeats: 0, unanswered: 0 })
    expect(rig.clock.pending).toBe(0)
    await mute.stop()
  })

  test('a reset ends early callbacks as well: the send is answered, and the states to come are not told', async () => {
    const { control } = rig.sandbox
    const { mute, arrived } = startMute()
    control.setCallbackUrl(mute.url)
    control.configure({ callbacks: { early: true } })
    const sending = rig.text()
    await arrived
    control.reset()
    expect((await sending).status).toBe(200)
    expect(mute.posted).toHaveLength(1)
    expect(control.pending()).toMatchObject({ unanswered: 0, repeats: 0 })
    await mute.stop()
  })

  test('bodies that wait for a repeat have a bound together; what goes beyond it is dropped and counted', async () => {
    const { control } = rig.sandbox
    const down = startReceiver(failed)
    control.setCallbackUrl(down.url)
    control.configure({ callbacks: { retryGapsMs: [60_000] } })
    const padBytes = 3 * 1024 * 1024
    const fit = Math.floor(BOUNDS.repeatBytes / padBytes)
    const updates = [{ wamid: 'wamid.x', status: 'read' as const }]
    for (let count = 0; count < fit + 2; count += 1) await control.batch({ updates, padBytes })
    expect(control.pending()).toMatchObject({ repeats: fit, dropped: 2 })
    control.reset()
    expect(control.pending()).toMatchObject({ repeats: 0, dropped: 0 })
    await down.stop()
  })

  test('statuses that find the queue full are counted as dropped, until a reset', async () => {
    const { control } = rig.sandbox
    const callbacks = Array.from({ length: 50 }, () => ({ status: 'sent' as const, afterMs: 1_000 }))
    control.addFault({ callbacks, copies: 20 })
    const sends = BOUNDS.timedCallbacks / (50 * 20) + 1
    for (let count = 0; count < sends; count += 1) await rig.text()
    expect(control.pending()).toMatchObject({ statuses: BOUNDS.timedCallbacks, dropped: 1_000 })
    control.reset()
    expect(control.pending()).toMatchObject({ statuses: 0, dropped: 0 })
  })
})

describe('inbound', () => {
  type Kind = Parameters<Rig['sandbox']['control']['inbound']>[0]['kind']
  const kinds: readonly [kind: Kind, shows: object][] = [
    ['text', { type: 'text', text: { body: 'Hello' } }],
    ['button', { type: 'button', button: { payload: 'More like this', text: 'More like this' } }],
    [
      'button_reply',
      { interactive: { type: 'button_reply', button_reply: { id: 'choice-1', title: 'More like this' } } },
    ],
    ['list_reply', { interactive: { type: 'list_reply' } }],
    ['reaction', { type: 'reaction' }],
    ['location', { location: { latitude: 52.52 } }],
    ['contacts', { type: 'contacts' }],
    ['order', { type: 'order' }],
    ['unsupported', { type: 'unsupported', errors: [{ code: 131051 }], unsupported: { type: 'poll' } }],
    ['call_permission_reply', { interactive: { call_permission_reply: { response: 'accept', is_permanent: false } } }],
    ['address', { interactive: { type: 'nfm_reply', nfm_reply: { name: 'address_message' } } }],
  ]
  test.each(kinds)('%s', async (kind, shows) => {
    const [post, result] = await Promise.all([receiver.next(), rig.sandbox.control.inbound({ kind, from: user })])
    expect(inboundOf(post)).toMatchObject({ from: '16505551234', id: result?.wamid, ...shows })
    expect(at(post.json, 'entry', 0, 'changes', 0, 'value', 'contacts', 0, 'wa_id')).toBe('16505551234')
    expect(result?.status).toBe(200)
  })

  test('system comes without contacts', async () => {
    const post = await heard(rig.sandbox.control.inbound({ kind: 'system', from: user }))
    expect(at(post.json, 'entry', 0, 'changes', 0, 'value', 'contacts')).toBeUndefined()
    expect(at(inboundOf(post), 'system', 'type')).toBe('user_changed_number')
  })

  test('system tells the number that the user has from now on', async () => {
    const change = { kind: 'system', from: user, newNumber: '+16505559999' } as const
    const post = await heard(rig.sandbox.control.inbound(change))
    expect(inboundOf(post)).toMatchObject({ from: '16505551234', system: { wa_id: '16505559999' } })
  })

  test('media can be downloaded by its id', async () => {
    for (const kind of ['image', 'video', 'audio', 'document', 'sticker'] as const) {
      const post = await heard(rig.sandbox.control.inbound({ kind, from: user }))
      const got = await rig.call('GET', `/v25.0/${at(inboundOf(post), kind, 'id')}`)
      expect(Buffer.from(`${at(got.json, 'sha256')}`, 'hex').toString('base64')).toBe(
        `${at(inboundOf(post), kind, 'sha256')}`,
      )
    }
  })

  test('a file of one’s own, as large as wanted; one that the platform would not take is a problem', async () => {
    const write = (file: object, kind: Kind = 'document') => rig.sandbox.control.inbound({ kind, from: user, file })
    const own = { name: 'invoice.txt', mimeType: 'text/plain', base64: Buffer.from('Order 1001').toString('base64') }
    const post = await heard(write(own))
    expect(inboundOf(post)).toMatchObject({ document: { filename: 'invoice.txt', mime_type: 'text/plain' } })
    const lookup = async (post: Posted) =>
      (await rig.call('GET', `/v25.0/${at(inboundOf(post), 'document', 'id')}`)).json
    expect(await lookup(post)).toMatchObject({ mime_type: 'text/plain', file_size: 10 })
    expect(await lookup(await heard(write({ size: 1_000 })))).toMatchObject({ file_size: 1_000 })
    const problem = async (file: object, kind?: Kind) => (await write(file, kind))?.problem?.message
    expect(await problem({ size: 6_000_000 }, 'image')).toBe('The file is larger than 5242880 bytes.')
    expect(await problem({ ...own, mimeType: 'application/pdf' })).toContain('not of type application/pdf')
    expect(receiver.posted).toHaveLength(2)
  })

  test('forwarded, from an ad, about a product', async () => {
    const more = { forwarded: 'often', fromAd: true, aboutProduct: true } as const
    const post = await heard(rig.sandbox.control.inbound({ kind: 'text', from: user, ...more }))
    expect(inboundOf(post)).toMatchObject({
      context: { frequently_forwarded: true, referred_product: { catalog_id: '1' } },
      referral: { source_type: 'ad' },
    })
  })

  test('a message is named by the text that the user sees, of one token; as it was sent where that is switched off', async () => {
    const { control } = rig.sandbox
    control.configure({ callbacks: { silent: true } })
    const sent = wamidOf(await rig.text())
    const named = async () => {
      const post = await heard(control.inbound({ kind: 'text', from: user, contextId: sent }))
      return String(at(inboundOf(post), 'context', 'id'))
    }
    const id = await named()
    expect([id === sent, isSameMessage(id, sent)]).toEqual([false, true])
    expect(asUserSees(id, onlyDigits(user))).toBe(sent)
    control.configure({ callbacks: { otherIds: false } })
    expect(await named()).toBe(sent)
  })

  test('an edit and a deletion name the last message of the user; a reaction may be taken back', async () => {
    const write = (kind: Kind, more = {}) => heard(rig.sandbox.control.inbound({ kind, from: user, ...more }))
    const original = seen(String(at(inboundOf(await write('text')), 'id')))
    const edited = inboundOf(await write('edit', { text: 'Better' }))
    expect(edited).toMatchObject({ edit: { original_message_id: original, message: { text: { body: 'Better' } } } })
    expect(inboundOf(await write('revoke'))).toMatchObject({ revoke: { original_message_id: original } })
    expect(inboundOf(await write('reaction', { emoji: '' }))).toMatchObject({ reaction: { emoji: '' } })
  })

  test('a user is the same by number and by user id: for the window, for what a tap quotes, for the pair limit', async () => {
    const { control } = rig.sandbox
    control.configure({ windowRequired: true, callbacks: { silent: true } })
    expect((await rig.text()).status).toBe(400)
    const write = async (kind: 'text' | 'button') => {
      const post = await heard(control.inbound({ kind, from: user, withoutNumber: true }))
      return inboundOf(post)
    }
    const recipient = String(at(await write('text'), 'from_user_id'))
    const toUserId = { messaging_product: 'whatsapp', recipient, type: 'text', text: { body: 'hi' } }
    const byNumber = await rig.text()
    const byUserId = await rig.call('POST', `/v25.0/${lineId}/messages`, toUserId)
    expect([byNumber.status, byUserId.status]).toEqual([200, 200])
    expect(at(await write('button'), 'context', 'id')).toBe(seen(wamidOf(byUserId)))
    control.configure({ pairLimit: { enabled: true, burst: 1 } })
    expect((await rig.text()).status).toBe(200)
    expect(at((await rig.call('POST', `/v25.0/${lineId}/messages`, toUserId)).json, 'error', 'code')).toBe(131056)
  })

  test('a flow reply carries the token that was sent and quotes its message; three broken forms do not', async () => {
    rig.sandbox.control.configure({ callbacks: { silent: true } })
    const parameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Go', flow_token: 'token-7' }
    const sent = await rig.interactive({ type: 'flow', body: { text: 'x' }, action: { name: 'flow', parameters } })
    const replyOf = async (
      kind: 'nfm_reply' | 'nfm_reply_without_token' | 'nfm_reply_not_an_object' | 'nfm_reply_not_json',
    ) => {
      const post = await heard(rig.sandbox.control.inbound({ kind, from: user }))
      expect(at(inboundOf(post), 'context', 'id')).toBe(seen(wamidOf(sent)))
      return String(at(inboundOf(post), 'interactive', 'nfm_reply', 'response_json'))
    }
    expect(JSON.parse(await replyOf('nfm_reply'))).toEqual({ flow_token: 'token-7', field: 'v' })
    expect(JSON.parse(await replyOf('nfm_reply_without_token'))).toEqual({ field: 'v' })
    expect(JSON.parse(await replyOf('nfm_reply_not_an_object'))).toBeArray()
    const broken = await replyOf('nfm_reply_not_json')
    expect(() => JSON.parse(broken)).toThrow()
  })
})

test('a flow reply carries the token of the message that it quotes, of a template as well', async () => {
  rig.sandbox.control.configure({ callbacks: { silent: true } })
  const parameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Go', flow_token: 'of-the-flow' }
  const flow = await rig.interactive({ type: 'flow', body: { text: 'x' }, action: { name: 'flow', parameters } })
  const action = { type: 'action', action: { flow_token: 'of-the-template' } }
  const components = [body('Ada'), button('flow', '0', action)]
  const template = await rig.template({ name: 'book_visit', language: { code: 'en_US' }, components })
  await rig.text()
  const tokenOf = async (contextId: string) => {
    const reply = rig.sandbox.control.inbound({ kind: 'nfm_reply', from: user, contextId })
    const post = await heard(reply)
    return JSON.parse(String(at(inboundOf(post), 'interactive', 'nfm_reply', 'response_json'))).flow_token
  }
  expect(await tokenOf(wamidOf(flow))).toBe('of-the-flow')
  expect(await tokenOf(wamidOf(template))).toBe('of-the-template')
  expect(await tokenOf('wamid.unknown')).toBe('unused')
})

describe('on demand', () => {
  test('a status of a known message, of an unknown one, and a code as text', async () => {
    const { control } = rig.sandbox
    control.configure({ callbacks: { silent: true } })
    const wamid = wamidOf(await rig.text({ biz_opaque_callback_data: 'msg_3' }))
    const [known] = await Promise.all([steps(1), control.status({ wamid, status: 'failed', code: 131049 })])
    expect(known[0]).toMatchObject({ id: wamid, biz_opaque_callback_data: 'msg_3', errors: [{ code: 131049 }] })
    expect(at(known[0], 'pricing')).toBeUndefined()
    control.configure({ callbacks: { codeAsText: true, failedWithoutOpaque: true } })
    const [odd] = await Promise.all([steps(1), control.status({ wamid, status: 'failed', code: 131049 })])
    expect(at(odd[0], 'errors', 0, 'code')).toBe('131049')
    expect(at(odd[0], 'biz_opaque_callback_data')).toBeUndefined()
    const [unknown] = await Promise.all([
      steps(1),
      control.status({ wamid: 'wamid.none', status: 'read', recipient: user }),
    ])
    expect(unknown[0]).toMatchObject({ id: 'wamid.none', recipient_id: '16505551234' })
  })

  describe('1000 updates in one POST', () => {
    const updates = Array.from({ length: 1_000 }, (_, at) => ({ wamid: `wamid.${at}`, status: 'read' as const }))
    const batch = async (padBytes?: number) => {
      const post = await heard(rig.sandbox.control.batch({ updates, ...(padBytes !== undefined && { padBytes }) }))
      expect(statusesOf(post).filter(status => at(status, 'id') !== undefined)).toHaveLength(1_000)
      expect(post.signature).toBe(signatureOf(post.text, SANDBOX.appSecret))
      return post.text.length
    }

    test.each([
      ['as usual', {}],
      ['with user ids, escaped slashes and a bad entry', { userIds: true, escapeSlashes: true, badEntry: true }],
    ])('padded to 3 MB, and not a byte more: %s', async (_, habits) => {
      rig.sandbox.control.configure({ callbacks: habits })
      expect(await batch(3 * 1024 * 1024)).toBe(3 * 1024 * 1024)
    })

    test('not padded where they are as large already', async () => {
      const bare = await batch()
      expect(await batch(1_000)).toBe(bare)
      expect(await batch(bare)).toBe(bare)
      // The frame of the padding does not fit in either.
      expect(await batch(bare + 10)).toBe(bare)
      expect(await batch(bare + 1_000)).toBe(bare + 1_000)
    })
  })

  test('any payload, with a signature or without', async () => {
    const post = await heard(rig.sandbox.control.raw({ object: 'ä' }, { signature: 'missing' }))
    expect(post.text).toBe('{"object":"\\u00e4"}')
    expect(post.signature).toBeNull()
  })

  test('template update: no metadata, a numeric id, a hyphen in the language; the listing follows', async () => {
    const [post, template] = await Promise.all([
      receiver.next(),
      rig.sandbox.control.setTemplateStatus({ name: 'order_confirmation', language: 'en_US', event: 'PAUSED' }),
    ])
    expect(template?.status).toBe('PAUSED')
    expect(at(post.json, 'entry', 0, 'changes', 0)).toMatchObject({
      field: 'message_template_status_update',
      value: { event: 'PAUSED', message_template_id: Number(template?.id), message_template_language: 'en-US' },
    })
    expect(post.text).not.toContain('metadata')
  })
})

describe('delays', () => {
  const patches: readonly [patch: object, expected: readonly [sent: number, delivered: number, read: number]][] = [
    [{ deliveredAfterMs: 5_000 }, [100, 5_000, 5_500]],
    [{ deliveredAfterMs: 600 }, [100, 600, 800]],
    [{ deliveredAfterMs: 50 }, [50, 50, 800]],
    [{ readAfterMs: 100 }, [50, 50, 100]],
    // Both are named: the order is as wanted.
    [{ deliveredAfterMs: 900, readAfterMs: 700 }, [100, 900, 700]],
    [{ silent: true }, [100, 300, 800]],
  ]
  test.each(patches)('changed by %j, a message is still delivered before it is read', (patch, expected) => {
    const { sentAfterMs, deliveredAfterMs, readAfterMs } = rig.sandbox.control.configure({ callbacks: patch }).callbacks
    expect([sentAfterMs, deliveredAfterMs, readAfterMs]).toEqual([...expected])
  })

  const rows: readonly [given: string, options: object, expected: readonly [delivered: number, read: number]][] = [
    ['neither', {}, [300, 800]],
    ['a late delivery alone', { deliveredAfterMs: 1_500 }, [1_500, 2_000]],
    ['an early reading alone', { readAfterMs: 100 }, [50, 100]],
    ['a late reading alone', { readAfterMs: 5_000 }, [300, 5_000]],
    ['both', { deliveredAfterMs: 5, readAfterMs: 10 }, [5, 10]],
  ]
  test.each(rows)('%s: sent, delivered, read, in this order', async (_, options, [delivered, read]) => {
    const own = await startRig({ callbackUrl: receiver.url, ...options })
    try {
      const { callbacks } = own.sandbox.control.settings()
      expect([callbacks.deliveredAfterMs, callbacks.readAfterMs]).toEqual([delivered, read])
      await own.text()
      own.clock.advance(read - 1)
      expect(words(await steps(2)).sort()).toEqual(['delivered', 'sent'])
      own.clock.advance(1)
      expect(words(await steps(1))).toEqual(['read'])
    } finally {
      await own.stop()
    }
  })
})
