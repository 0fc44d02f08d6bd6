import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { hourMs } from '../../src/base/durations.ts'
import { REFUSALS } from '../../src/sandbox/checks/refusals.ts'
import { MAGIC_RECIPIENTS } from '../../src/sandbox/faults/magic.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { freshFixture } from '../fixture.ts'
import { at, errorCode, lineId, otherLineId, startReceiver, startRig, statusesOf, turn, wamidOf } from './rig.ts'

const receiver = freshFixture(startReceiver)
const rig = freshFixture(() => startRig({ callbackUrl: receiver.url }))

/** One request on a socket of its own. Resolves once the other side has closed, or when `until` says enough. */
function raw(to: string, until: (text: string) => boolean = () => false) {
  const body = JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: 'hi' } })
  const head = [
    `POST /v25.0/${lineId}/messages HTTP/1.1`,
    'Host: sandbox',
    `Authorization: Bearer ${SANDBOX.accessToken}`,
    `Content-Length: ${body.length}`,
  ]
  return new Promise<{ text: string; closed: boolean }>(resolve => {
    let text = ''
    const socket = connect(rig.sandbox.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', chunk => {
      text += chunk
      if (until(text)) {
        resolve({ text, closed: false })
        socket.destroy()
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ text, closed: true }))
  })
}

/**
 * Moves the clock until something has happened that depends on both the clock and a socket. It stands still while a
 * callback is unanswered, or the receiver would seem to be down.
 */
async function advanceUntil(stepMs: number, done: () => boolean): Promise<void> {
  while (!done()) {
    const { unanswered, waiting } = rig.sandbox.control.pending()
    if (unanswered + waiting === 0) rig.clock.advance(stepMs)
    await turn()
  }
}

const outcomes = () => rig.sandbox.control.requests().map(({ outcome }) => outcome)
const journalled = async (count: number) => {
  while (rig.sandbox.control.requests().length < count) await turn()
}

const text = { type: 'text', text: { body: 'hi' } }
const template = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }
async function scriptOf(to: string, count: number, content: object = text): Promise<unknown[]> {
  await rig.send({ to, ...content })
  const seen: unknown[] = []
  await advanceUntil(100, () => receiver.posted.flatMap(statusesOf).length >= count)
  for (const post of receiver.posted) seen.push(...statusesOf(post))
  return seen
}
const words = (statuses: unknown[]) => statuses.map(status => at(status, 'status'))

describe('magic recipients', () => {
  test('no number stands for two things', () => {
    expect(new Set(MAGIC_RECIPIENTS.map(({ number }) => number)).size).toBe(MAGIC_RECIPIENTS.length)
  })

  test('every code: as an answer, as a failed callback, as both', async () => {
    rig.sandbox.control.configure({ callbacks: { batchMax: 1_000 } })
    for (const code of Object.keys(REFUSALS).map(Number)) {
      const suffix = String(code % 10_000).padStart(4, '0')
      const refused = await rig.text({ to: `+1555010${suffix}` })
      expect(errorCode(refused)).toBe(code)
      expect(refused.status).toBe(REFUSALS[code]?.status ?? 0)
      expect((await rig.text({ to: `+1555011${suffix}` })).status).toBe(200)
      expect(errorCode(await rig.text({ to: `+1555012${suffix}` }))).toBe(code)
    }
    const total = Object.keys(REFUSALS).length
    await advanceUntil(100, () => receiver.posted.flatMap(statusesOf).length >= 3 * total)
    const failed = receiver.posted.flatMap(statusesOf).filter(status => at(status, 'status') === 'failed')
    expect(failed).toHaveLength(2 * total)
    expect(new Set(failed.map(status => at(status, 'errors', 0, 'code'))).size).toBe(total)
    expect(rig.sandbox.control.totals().byOutcome).toEqual({ accepted: total, refused: 2 * total, lost: 0, dropped: 0 })
  })

  test('130429 once, then accepted, and so on in turn, per line', async () => {
    const to = '+15550130429'
    const first = await rig.text({ to })
    expect(errorCode(first)).toBe(130429)
    expect(first.headers.get('retry-after')).toBe('1')
    expect((await rig.text({ to })).status).toBe(200)
    expect(errorCode(await rig.text({ to }))).toBe(130429)
    expect(errorCode(await rig.text({ to }, otherLineId))).toBe(130429)
  })

  const page = (text: string) => expect(text).toStartWith('<!DOCTYPE html>')
  const brokenJson = (text: string) => expect(() => JSON.parse(text)).toThrow()
  const answers: readonly [to: string, status: number, outcome: string, check: (text: string) => void][] = [
    ['+15550130500', 500, 'dropped', page],
    ['+15550131500', 500, 'lost', page],
    ['+15550130503', 503, 'dropped', text => expect(text).toBe('')],
    ['+15550130200', 200, 'refused', text => expect(at(JSON.parse(text), 'error', 'code')).toBe(131000)],
    [
      '+15550130201',
      200,
      'lost',
      text => expect(Object.keys(JSON.parse(text))).toEqual(['messaging_product', 'contacts']),
    ],
    ['+15550130202', 200, 'lost', brokenJson],
    ['+15550130203', 200, 'lost', brokenJson],
    ['+15550139999', 500, 'refused', text => expect(text).toContain('999999')],
    ['+15550139998', 500, 'refused', text => expect(text).toContain('"is_transient":true')],
    ['+15550139997', 400, 'refused', text => expect(at(JSON.parse(text), 'error', 'error_data')).toBeString()],
    ['+15550130463', 401, 'refused', text => expect(text).toContain('"error_subcode":463')],
    ['+15550130030', 200, 'accepted', text => expect(text).not.toContain('held')],
  ]
  test.each(answers)('%s: HTTP %d, %s', async (to, status, outcome, check) => {
    const got = await rig.text({ to })
    expect(got.status).toBe(status)
    check(got.text)
    expect(outcomes().map(String)).toEqual([outcome])
  })

  test('reset instead of an answer: not one byte comes, and what was sent has callbacks', async () => {
    expect(await raw('+15550130010')).toEqual({ text: '', closed: true })
    expect(await raw('+15550130011')).toEqual({ text: '', closed: true })
    expect(outcomes()).toEqual(['lost', 'dropped'])
    rig.clock.advance(100)
    const statuses = statusesOf(await receiver.next())
    expect(statuses).toHaveLength(1)
    expect(at(statuses[0], 'recipient_id')).toBe('15550130010')
  })

  test('reset within the answer: the head and half of the body, then nothing', async () => {
    const reading = raw('+15550130012')
    let isOver = false
    reading.then(() => {
      isOver = true
    })
    await advanceUntil(1, () => isOver)
    const { text } = await reading
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    const received = text.slice(text.indexOf('\r\n\r\n') + 4)
    expect(text).toStartWith('HTTP/1.1 200')
    expect(received.length).toBe(Math.ceil(length / 2))
    expect(outcomes()).toEqual(['lost'])
  })

  test('trickle: the answer is whole in the end', async () => {
    let isOver = false
    const reading = rig.text({ to: '+15550130013' }).finally(() => {
      isOver = true
    })
    await advanceUntil(20, () => isOver)
    expect(wamidOf(await reading)).toStartWith('wamid.')
  })

  test('hang: never answered, though sent in one case', async () => {
    const abort = new AbortController()
    const url = `${rig.sandbox.url}/v25.0/${lineId}/messages`
    const hang = (to: string) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${SANDBOX.accessToken}` },
        body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: 'hi' } }),
        signal: abort.signal,
      }).then(
        () => 'answered',
        () => 'aborted',
      )
    const both = [hang('+15550130020'), hang('+15550130021')]
    await journalled(2)
    rig.clock.advance(hourMs)
    const statuses = statusesOf(await receiver.next())
    abort.abort()
    expect(await Promise.all(both)).toEqual(['aborted', 'aborted'])
    expect(outcomes().sort()).toEqual(['dropped', 'lost'])
    expect(new Set(statuses.map(status => at(status, 'recipient_id')))).toEqual(new Set(['15550130020']))
  })

  test('late: sent at once, answered after 35 s', async () => {
    const reading = rig.text({ to: '+15550130022' })
    await journalled(1)
    rig.clock.advance(34_999)
    expect(statusesOf(await receiver.next())).not.toBeEmpty()
    let isAnswered = false
    reading.then(() => {
      isAnswered = true
    })
    expect(isAnswered).toBe(false)
    rig.clock.advance(1)
    expect((await reading).status).toBe(200)
  })

  const thrice = (...names: string[]) => names.flatMap(name => [name, name, name])
  const scripts: readonly [to: string, statuses: string[]][] = [
    ['+15550140002', ['sent']],
    ['+15550140003', ['sent', 'delivered']],
    ['+15550140004', ['sent', 'read']],
    ['+15550140005', ['read']],
    ['+15550140006', ['sent', 'failed', 'delivered']],
    ['+15550140007', ['sent', 'delivered', 'failed']],
    ['+15550140008', thrice('sent', 'delivered', 'read')],
    ['+15550140009', ['read', 'delivered', 'sent']],
  ]
  test.each(scripts)('%s: %p', async (to, statuses) => {
    rig.sandbox.control.configure({ callbacks: { parallelMax: 1, batchMax: 1 } })
    expect(words(await scriptOf(to, statuses.length))).toEqual(statuses)
    expect(rig.sandbox.control.pending().statuses).toBe(0)
  })

  test('+15550140001: no callback ever; +15550140010: all before the answer', async () => {
    await rig.text({ to: '+15550140001' })
    expect(rig.sandbox.control.pending().statuses).toBe(0)
    await rig.text({ to: '+15550140010' })
    expect(words(receiver.posted.flatMap(statusesOf))).toEqual(['sent', 'delivered', 'read'])
  })

  test('+15550130030 and …0031: a template is held for 2 s, then sent or dropped with 132015; nothing else is', async () => {
    rig.sandbox.control.configure({ callbacks: { parallelMax: 1, batchMax: 1 } })
    const startedAt = rig.clock.now()
    const [failed] = await scriptOf('+15550130031', 1, template)
    expect(at(failed, 'errors', 0, 'code')).toBe(132015)
    expect(rig.clock.now() - startedAt).toBe(2_000)
    const released = await scriptOf('+15550130030', 4, template)
    expect(words(released)).toEqual(['failed', 'sent', 'delivered', 'read'])
    expect((await rig.send({ to: '+15550130030', ...template })).text).toContain('held_for_quality_assessment')
    rig.sandbox.control.reset()
    await rig.text({ to: '+15550130031' })
    rig.clock.advance(800)
    expect(rig.sandbox.control.pending().statuses).toBe(0)
  })
})

describe('faults on demand', () => {
  const code = async (content: object = {}, line: string = lineId) => {
    const got = await rig.text(content, line)
    return got.status === 200 ? 200 : errorCode(got)
  }

  test('the next n', async () => {
    rig.sandbox.control.addFault({ answer: 'error', code: 131000, next: 2 })
    expect([await code(), await code(), await code()]).toEqual([131000, 131000, 200])
    expect(rig.sandbox.control.faults()).toEqual([])
  })

  test('every nth, per line, per recipient', async () => {
    const { control } = rig.sandbox
    const id = control.addFault({ answer: 'error', code: 2, every: 3, line: lineId })
    expect([await code(), await code(), await code({}, otherLineId), await code(), await code()]).toEqual([
      200, 200, 200, 2, 200,
    ])
    expect(control.faults()).toMatchObject([{ id, seen: 4, struck: 1 }])
    control.clearFaults()
    control.addFault({ answer: 'error', code: 131026, recipient: '+16505550001' })
    expect([await code(), await code({ to: '+1 650 555 0001' })]).toEqual([200, 131026])
  })

  test('a message that fails its checks is refused as usual and uses up no fault', async () => {
    rig.sandbox.control.addFault({ answer: 'error', code: 131000, next: 1 })
    expect(await code({ text: {} })).toBe(100)
    expect(await code()).toBe(131000)
  })

  test('refused with details, Retry-After and another status', async () => {
    rig.sandbox.control.addFault({ answer: 'error', code: 4, status: 403, details: 'd', subcode: 7, retryAfterS: 9 })
    const got = await rig.text()
    expect(got.status).toBe(403)
    expect(got.headers.get('retry-after')).toBe('9')
    expect(got.json).toMatchObject({ error: { code: 4, error_subcode: 7, error_data: { details: 'd' } } })
  })

  test('reset on arrival: the body is never read, nothing is in the journal', async () => {
    rig.sandbox.control.addFault({ answer: 'reset_on_arrival', next: 1 })
    expect(await raw('+16505551234')).toEqual({ text: '', closed: true })
    expect(outcomes()).toEqual([])
    expect(await code()).toBe(200)
  })

  test('other routes have faults of their own', async () => {
    const { control } = rig.sandbox
    control.addFault({ on: 'templates', answer: 'html', status: 502, next: 1 })
    control.addFault({ on: 'subscribed_apps', answer: 'error', code: 10, next: 1 })
    control.addFault({ on: 'phone_numbers', answer: 'truncated', next: 1 })
    const base = `/v25.0/${SANDBOX.accountId}`
    expect((await rig.call('GET', `${base}/message_templates`)).status).toBe(502)
    expect((await rig.call('GET', `${base}/message_templates`)).status).toBe(200)
    expect(errorCode(await rig.call('GET', `${base}/subscribed_apps`))).toBe(10)
    const cut = await rig.call('GET', `${base}/phone_numbers`)
    expect(cut.status).toBe(200)
    expect(cut.json).toBeUndefined()
  })

  test('outage: connections are refused until the clock says otherwise', async () => {
    await rig.sandbox.control.outage(5_000)
    await expect(rig.text()).rejects.toThrow()
    rig.clock.advance(5_000)
    let got = await rig.text().catch(() => undefined)
    while (!got) got = await rig.text().catch(() => undefined)
    expect(got.status).toBe(200)
  })
})
