import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Pieces } from '../../src/base/pieces.ts'

function piecesOf(parts: readonly Uint8Array[]): Pieces {
  const pieces = new Pieces()
  for (const part of parts) pieces.add(part)
  return pieces
}

/** Bytes of memory that stay in use for them. */
const held = (pieces: Pieces) =>
  [...new Set(pieces.list().map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0)

/** The costs of a buffer beside its bytes are those of its object, whatever its size. */
const objects = (pieces: Pieces) => pieces.list().length

const part = (length: number) => new Uint8Array(length).map((_, index) => index * 7 + length)
/** Cut from a buffer in which nothing else is used, as a read from a socket is. */
const cutPart = (length: number) => part(length + 65_536).subarray(length, 2 * length)

const lengths = fc.oneof(fc.nat(40), fc.nat(2_000), fc.integer({ min: 16_000, max: 40_000 }))
const parts = fc.array(fc.tuple(lengths, fc.boolean()), { maxLength: 60 })

test('the bytes come out as they came in, however they were cut, also when read in between', () => {
  fc.assert(
    fc.property(parts, fc.nat(60), (cuts, readAt) => {
      const given = cuts.map(([length, isCut]) => (isCut ? cutPart(length) : part(length)))
      const pieces = new Pieces()
      for (const [index, piece] of given.entries()) {
        if (index === readAt) expect(Buffer.concat(pieces.list())).toEqual(Buffer.concat(given.slice(0, index)))
        pieces.add(piece)
      }
      const whole = Buffer.concat(given)
      expect(pieces.bytes).toBe(whole.length)
      expect(Buffer.concat(pieces.list()).equals(whole)).toBe(true)
      expect(Buffer.from(pieces.joined()).equals(whole)).toBe(true)
    }),
  )
})

describe('memory', () => {
  test('is at most twice the bytes and a smallest block', () => {
    fc.assert(
      fc.property(parts, cuts => {
        const pieces = piecesOf(cuts.map(([length, isCut]) => (isCut ? cutPart(length) : part(length))))
        if (cuts.length > 1) expect(held(pieces)).toBeLessThanOrEqual(2 * pieces.bytes + 512)
      }),
    )
  })

  test.each([
    ['a million bytes, one by one', Array<Uint8Array>(1_000_000).fill(part(1)), 30],
    ['small ones between large ones', Array.from({ length: 100 }, (_, at) => part(at % 2 ? 1 : 16_384)), 101],
    ['small ones, each cut from a large buffer', Array.from({ length: 200 }, () => cutPart(100)), 10],
  ])('%s', (_, given, objectsMax) => {
    const pieces = piecesOf(given)
    expect(held(pieces)).toBeLessThanOrEqual(2 * pieces.bytes + 512)
    expect(objects(pieces)).toBeLessThanOrEqual(objectsMax)
  })

  test('the only piece and large ones are not copied', () => {
    const single = part(300)
    expect(piecesOf([single]).joined()).toBe(single)
    expect(piecesOf([single]).list()).toEqual([single])
    const large = [part(16_384), part(100_000)]
    const list = piecesOf(large).list()
    expect(list.map((piece, at) => piece === large[at])).toEqual([true, true])
  })
})

describe('too small pieces', () => {
  const areTooSmall = (count: number, length: number) =>
    piecesOf(Array<Uint8Array>(count).fill(part(length))).areTooSmall

  test.each([
    [4_096, 1, false],
    [4_113, 1, true],
    // 100 KB, word by word.
    [4_096, 25, false],
    [20_000, 100, true],
    // A large file of small buffers.
    [100_000, 256, false],
  ])('%d of %d bytes: %p', (count, length, expected) => {
    expect(areTooSmall(count, length)).toBe(expected)
  })
})
