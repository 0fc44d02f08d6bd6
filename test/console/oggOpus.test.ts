import { describe, expect, test } from 'bun:test'
import { oggPagesOf } from '../../src/console/web/pages/conversations/composer/oggOpus.ts'
import { exampleFiles } from '../../src/sandbox/state/exampleFiles.ts'

/** Half a second, as Chromium records it: eight packets of 60 ms. */
const recorded = Buffer.from(
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAALOEU2bdLlNu4tTq4QVSalmU6yBbk27i1OrhBZUrmtTrIGTTb' +
    'uLU6uEH0O2dVOsgddNu4xTq4QcU7trU6yCArzsrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrX' +
    'sYMPQkBEiYRD0gAATYCGQ2hyb21lV0GGQ2hyb21lFlSua7+uvdeBAXPFhzZ+jW5GUy2DgQKGhkFfT1BVU2Oik09wdXNIZWFkAQEAAIC7AAAAAA' +
    'DhjbWERzuAAJ+BAWJkgSAfQ7Z1AQAAAAAAAdnngQCjt4EAAIB7gw4QC+TBNuzFjYxJRpmkJrAHyXIn4UTqVfHwwNXd6VJgB8l5yMlXwKISI/rv' +
    'Z/NkwOCjuYEAPIB7AwfJecjJV8CiEiP672fzZMDgB8l5yMlXwKISI/rvZ/NkwOAHyXnIyVfAohIj+u9n82TA4KO5gQB4gHsDB8l5yMlXwKISI/' +
    'rvZ/NkwOAHyXnIyVfAohIj+u9n82TA4AfJecjJV8CiEiP672fzZMDgo7mBALSAewMHyXnIyVfAohIj+u9n82TA4AfJecjJV8CiEiP672fzZMDg' +
    'B8l5yMlXwKISI/rvZ/NkwOCjuYEA8IB7AwfJecjJV8CiEiP672fzZMDgB8l5yMlXwKISI/rvZ/NkwOAHyXnIyVfAohIj+u9n82TA4KO5gQEsgH' +
    'sDB8l5yMlXwKISI/rvZ/NkwOAHyXnIyVfAohIj+u9n82TA4AfJecjJV8CiEiP672fzZMDgo7mBAWiAewMHyXnIyVfAohIj+u9n82TA4AfJecjJ' +
    'V8CiEiP672fzZMDgB8l5yMlXwKISI/rvZ/NkwOCjuYEBpIB7AwfJecjJV8CiEiP672fzZMDgB8l5yMlXwKISI/rvZ/NkwOAHyXnIyVfAohIj+u' +
    '9n82TA4BxTu2uNu4uzgQC3hveBAfGB1w==',
  'base64',
)

const table = Array.from({ length: 256 }, (_, at) => {
  let sum = at << 24
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  return sum >>> 0
})

/** Reads Ogg as a player does (RFC 3533 6). @throws Error where it is broken */
function readOgg(bytes: Uint8Array) {
  const pages: { flags: number; granule: number; packets: Uint8Array[] }[] = []
  for (let at = 0; at < bytes.length; ) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at)
    const segments = bytes[at + 26] ?? 0
    const lacing = [...bytes.subarray(at + 27, at + 27 + segments)]
    const head = 27 + segments
    const whole = bytes.slice(at, at + head + lacing.reduce((sum, length) => sum + length, 0))
    const sum = new DataView(whole.buffer).getUint32(22, true)
    whole.fill(0, 22, 26)
    const found = whole.reduce((crc, byte) => ((crc << 8) ^ (table[(crc >>> 24) ^ byte] ?? 0)) >>> 0, 0)
    if (found !== sum) throw new Error(`the sum of page ${pages.length} is ${found}, not ${sum}`)
    if (view.getUint32(18, true) !== pages.length) throw new Error(`page ${pages.length} has another number`)
    const packets: Uint8Array[] = []
    let [from, length] = [head, 0]
    for (const size of lacing) {
      length += size
      if (size === 255) continue
      packets.push(whole.subarray(from, from + length))
      from += length
      length = 0
    }
    if (length > 0) throw new Error('a packet goes on on the next page')
    pages.push({ flags: bytes[at + 5] ?? 0, granule: Number(view.getBigInt64(6, true)), packets })
    at += whole.length
  }
  return pages
}

const converted = (webm: Uint8Array) => {
  const pages = oggPagesOf(webm)
  return pages && readOgg(Uint8Array.from(Buffer.concat(pages)))
}

const bytesOf = (hex: string) => [...Buffer.from(hex, 'hex')]
/** @param size of Matroska's numbers; left out: open */
const element = (id: string, content: readonly number[], isOpen = false) => {
  const size = isOpen ? bytesOf('01ffffffffffffff') : bytesOf((content.length + 0x10000000).toString(16))
  return [...bytesOf(id), ...size, ...content]
}
const opusHead = [...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]
/** @param kind of a packet (RFC 6716 3.1), its first byte */
const packet = (kind: number, length: number) => [kind, ...Array.from({ length: length - 1 }, (_, at) => at % 251)]
const block = (content: readonly number[]) => element('a3', [0x81, 0, 0, 0x80, ...content])
const webm = (...clusters: readonly (readonly number[])[]) => {
  const track = element(
    '1654ae6b',
    element('ae', [...element('86', [...Buffer.from('A_OPUS')]), ...element('63a2', opusHead)]),
  )
  const found = clusters.flatMap(content => element('1f43b675', [...element('e7', [0]), ...content], true))
  return Uint8Array.from([...element('1a45dfa3', [0, 0]), ...element('18538067', [...track, ...found], true)])
}
/** Its length is that of one channel (RFC 7845 5.1). */
const opusHeadIn = (bytes: Buffer) => bytes.subarray(bytes.indexOf('OpusHead')).subarray(0, 19)
/** SILK of 20 ms in wideband, one frame. */
const silk20 = 0x48
const isLast = 0x04

describe('a recording of WebM becomes Ogg', () => {
  test('the reader takes what another program has written', () => {
    expect(readOgg(exampleFiles.audio?.bytes ?? new Uint8Array()).at(-1)?.flags).toBe(isLast)
  })

  test('what Chromium has recorded: heads, packets as they were, all of its time, and an end', () => {
    const [head, tags, ...rest] = converted(recorded) ?? []
    expect(head).toEqual({ flags: 2, granule: 0, packets: [new Uint8Array(opusHeadIn(recorded))] })
    expect(tags?.packets.map(bytes => Buffer.from(bytes).toString('latin1'))).toEqual([
      'OpusTags\x07\0\0\0Waypost\0\0\0\0',
    ])
    const packets = rest.flatMap(page => page.packets)
    expect(packets).toHaveLength(8)
    for (const one of packets) expect(recorded.includes(Buffer.from(one))).toBeTrue()
    expect(rest.at(-1)).toMatchObject({ flags: isLast, granule: packets.length * 2_880 })
  })

  test('of several clusters: a page a second, no packet on two pages, also one longer than a segment', () => {
    const sent = Array.from({ length: 120 }, (_, at) => packet(silk20, at === 7 ? 1_275 : at === 8 ? 255 : 60 + at))
    const pages = (converted(webm(sent.slice(0, 70).flatMap(block), sent.slice(70).flatMap(block))) ?? []).slice(2)
    expect(pages.map(({ granule }) => granule)).toEqual([48_000, 96_000, 115_200])
    expect(pages.map(({ flags }) => flags)).toEqual([0, 0, isLast])
    expect(pages.flatMap(page => page.packets.map(bytes => [...bytes]))).toEqual(sent)
  })

  test('a page is ended before it has more segments than its head can say', () => {
    const sent = Array.from({ length: 20 }, () => packet(silk20, 5_000))
    const pages = (converted(webm(sent.flatMap(block))) ?? []).slice(2)
    expect(pages.map(({ packets }) => packets.length)).toEqual([12, 8])
  })

  test.each([
    ['SILK of 10 ms', [0x40], 480],
    ['SILK of 40 ms', [0x50], 1_920],
    ['SILK of 60 ms', [0x58], 2_880],
    ['hybrid of 10 ms', [0x70], 480],
    ['hybrid of 20 ms', [0x78], 960],
    ['CELT of 2.5 ms', [0xe0], 120],
    ['CELT of 20 ms, two frames', [0xf9], 1_920],
    ['CELT of 20 ms, two frames that differ in size', [0xfa], 1_920],
    ['CELT of 20 ms, three frames', [0xfb, 0x83], 2_880],
  ])('how long it sounds: %s', (_, start, samples) => {
    expect(converted(webm(block([...start, 0, 0, 0])))?.at(-1)?.granule).toBe(samples)
  })

  test('what ends in the middle of a packet has those before it, and what is none has nothing', () => {
    const whole = webm([...block(packet(silk20, 50)), ...block(packet(silk20, 60))])
    expect(converted(whole.subarray(0, -1))?.at(-1)).toMatchObject({ flags: isLast, granule: 960 })
    const laced = element('a3', [0x81, 0, 0, 0x86, ...packet(silk20, 50)])
    for (const none of [webm(), webm(laced), new Uint8Array(100), exampleFiles.video?.bytes ?? new Uint8Array()])
      expect(oggPagesOf(none)).toBeNull()
  })
})
