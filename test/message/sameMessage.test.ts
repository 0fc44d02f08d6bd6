import { describe, expect, test } from 'bun:test'
import { endChars, endsOf, isSameMessage, namedBy, tokenOf } from '../../src/message/sameMessage.ts'
import { apply, eventless, type MessageRecord, type ReportEvent, statusOf } from '../../src/message/state.ts'
import { ownToken, peers, userToken, wamid } from './wamids.ts'

const [number, spelling, userId] = peers

describe('ids of one message', () => {
  test('as they are printed: the token and who sent it, whatever the peer is', () => {
    expect(tokenOf('wamid.HBgLMTU1NTAxNTAxMDAVAgARGBJBNUIyQzNENEU1RjZBN0I4QzkA')).toBe(`business ${ownToken}`)
    expect(tokenOf('wamid.HBgLMTU1NTAxNTAxMDAVAgASGBRDNkIyQzNENEU1RjZBN0I4QzlEMAA=')).toBe(`user ${userToken}`)
    for (const peer of peers) {
      expect(tokenOf(wamid(peer, ownToken))).toBe(`business ${ownToken}`)
      expect(isSameMessage(wamid(number, ownToken), wamid(peer, ownToken))).toBe(true)
    }
  })

  test('another token, or the same one of the other side, is another message', () => {
    expect(isSameMessage(wamid(number, ownToken), wamid(number, userToken))).toBe(false)
    expect(isSameMessage(wamid(number, ownToken), wamid(number, ownToken, 'user'))).toBe(false)
  })

  const whole = wamid(number, ownToken)
  const bytes = Buffer.from(whole.slice(6), 'base64')
  const changed = (at: number, byte: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = byte
    return `wamid.${copy.toString('base64')}`
  }
  test.each([
    ['other text', 'wamid.msg_1'],
    ['no text', ''],
    ['no prefix', whole.slice(6)],
    ['a part', whole.slice(0, -8)],
    ['something behind it', `${whole}AAAA`],
    ['another mark', changed(0, 0x1d)],
    ['a peer that is longer than it is', changed(2, 200)],
    ['a third direction', changed(bytes.length - ownToken.length - 4, 0x13)],
    ['another end', changed(bytes.length - 1, 1)],
    ['a token that is too short', wamid(number, 'ABC')],
    ['a token of other bytes', wamid(number, 'ABCDEFGH\u0001')],
    ['another alphabet', whole.replace(/.{4}$/, '__==')],
    ['a digest', 'sha256:0123'],
  ])('of another form is its text: %s', (_name, id) => {
    expect(tokenOf(id)).toBeNull()
    expect(isSameMessage(id, id)).toBe(true)
    expect(isSameMessage(id, whole)).toBe(false)
    expect(endsOf(id)).toEqual([id.slice(-endChars)])
  })

  test('the ends are those of every id, with a peer of any length', () => {
    for (const token of [ownToken, userToken, 'ABCDEFGH', 'x'.repeat(127)]) {
      const ends = endsOf(wamid(number, token))
      expect(ends).toHaveLength(3)
      for (let length = 0; length <= 127; length += 1)
        expect(ends).toContain(wamid('9'.repeat(length), token).slice(-endChars))
    }
  })
})

describe('which one is named', () => {
  const ids = (...all: readonly (string | null)[]) => all.map(channelMessageId => ({ channelMessageId }))
  const named = (id: string, all: ReturnType<typeof ids>) => namedBy(id, all)?.channelMessageId

  test('the exact id comes first, else the only one with its token', () => {
    const [exact, same, other] = [wamid(number, ownToken), wamid(userId, ownToken), wamid(number, userToken)]
    expect(named(exact, ids(null, same, other, exact))).toBe(exact)
    expect(named(exact, ids(null, other, same))).toBe(same)
    expect(named(exact, ids(null, other))).toBeUndefined()
    expect(named('wamid.1', ids('wamid.1', 'wamid.2'))).toBe('wamid.1')
  })

  test('of two with its token none is taken', () => {
    expect(named(wamid(number, ownToken), ids(wamid(spelling, ownToken), wamid(userId, ownToken)))).toBeUndefined()
  })
})

describe('the failure of an attempt', () => {
  const sent: MessageRecord = { createdAt: 0, dispatchedAt: 1, ...eventless }
  const failed = (channelMessageId: string, at = 3): ReportEvent => ({
    ...{ kind: 'reported', status: 'failed', at, channelMessageId, reason: 'no', pricing: null },
  })
  const accepted = { kind: 'accepted', at: 2, channelMessageId: wamid(number, ownToken), waId: null } as const

  test('counts under each id of it, before and after the answer', () => {
    for (const events of [
      [accepted, failed(wamid(userId, ownToken))],
      [failed(wamid(userId, ownToken)), accepted],
    ]) {
      const record = events.reduce<MessageRecord>(apply, sent)
      expect(statusOf(record)).toBe('FAILED')
      expect(record.channelMessageId).toBe(accepted.channelMessageId)
    }
  })

  test('is one failure, and not that of another attempt', () => {
    const twice = [failed(wamid(userId, ownToken)), failed(wamid(spelling, ownToken), 4), accepted].reduce(apply, sent)
    expect(JSON.parse(twice.failures ?? '')).toHaveLength(1)
    const other = [failed(wamid(userId, userToken)), accepted].reduce<MessageRecord>(apply, sent)
    expect(statusOf(other)).toBe('SENT')
  })
})
