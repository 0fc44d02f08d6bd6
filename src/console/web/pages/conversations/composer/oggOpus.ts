/**
 * A recording of a browser as the platform takes a voice message: WebM with Opus (RFC 9559) rewritten as Ogg (RFC 3533,
 * 7845). The packets stay as they are.
 */

/** Segment, Tracks, TrackEntry, Cluster, BlockGroup are read through: a recording may leave their sizes open. */
const entered = new Set([0x18538067, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0])
const codecPrivate = 0x63a2
/** SimpleBlock and Block. */
const blocks = new Set([0xa3, 0xa1])
/** Before its packet, a block has the number of its track, of which a recording has one, its time and its flags. */
const blockHeadBytes = 4
const laced = 0x06

/** @returns the head of the codec and its packets; null: it is something else */
function packetsIn(webm: Uint8Array): { head: Uint8Array; packets: readonly Uint8Array[] } | null {
  let head: Uint8Array | null = null
  const packets: Uint8Array[] = []
  let at = 0
  function readNumber(isId: boolean): number {
    const first = webm[at] ?? 0
    const end = at + Math.clz32(first) - 23
    let value = isId ? first : first & (0xff >> (end - at))
    for (at += 1; at < end; at += 1) value = value * 256 + (webm[at] ?? 0)
    return value
  }
  while (at < webm.length) {
    const id = readNumber(true)
    const size = readNumber(false)
    if (entered.has(id)) continue
    const content = webm.subarray(at, at + size)
    at += size
    if (id === codecPrivate) head = content
    if (!blocks.has(id) || content.length < size || size <= blockHeadBytes) continue
    if ((content[blockHeadBytes - 1] ?? 0) & laced) return null
    packets.push(content.subarray(blockHeadBytes))
  }
  return head && packets.length > 0 ? { head, packets } : null
}

/** Per second, whatever was recorded. */
const opusRate = 48_000

/** How long a packet sounds, by its first bytes (RFC 6716 3.1 and 3.2). */
function samplesOf([kind = 0, counted = 0]: Uint8Array): number {
  const config = kind >> 3
  const step = config & 3
  const frame = config >= 16 ? 120 << step : config >= 12 ? 480 << (step & 1) : step === 3 ? 2_880 : 480 << step
  return frame * ([1, 2, 2][kind & 3] ?? counted & 0x3f)
}

const isFirst = 0x02
const isLast = 0x04
const pageHeadBytes = 27
const segmentsMax = 255
/** Ogg tells streams of one file apart by it; here there is one. */
const serial = 1
const text = (words: string) => new TextEncoder().encode(words)
/** No comments. */
const tags = Uint8Array.of(...text('OpusTags'), 7, 0, 0, 0, ...text('Waypost'), 0, 0, 0, 0)

const segmentsOf = ({ length }: Uint8Array) => Math.floor(length / segmentsMax) + 1

function page(flags: number, granule: number, number: number, packets: readonly Uint8Array[]) {
  const lacing = packets.flatMap(packet => [
    ...Array<number>(segmentsOf(packet) - 1).fill(segmentsMax),
    packet.length % segmentsMax,
  ])
  let at = pageHeadBytes + lacing.length
  const bytes = new Uint8Array(packets.reduce((sum, { length }) => sum + length, at))
  const view = new DataView(bytes.buffer)
  bytes.set(text('OggS'))
  bytes[5] = flags
  view.setBigUint64(6, BigInt(granule), true)
  view.setUint32(14, serial, true)
  view.setUint32(18, number, true)
  bytes[26] = lacing.length
  bytes.set(lacing, pageHeadBytes)
  for (const packet of packets) {
    bytes.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, checksum(bytes), true)
  return bytes
}

/** RFC 3533 6: CRC-32 that is not reflected, from 0 on. */
function checksum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0)
  }
  return sum
}

/** @returns its pages, each with a second at most; null when it is not a recording of Opus in WebM */
export function oggPagesOf(webm: Uint8Array): Uint8Array<ArrayBuffer>[] | null {
  const read = packetsIn(webm)
  if (!read) return null
  const pages = [page(isFirst, 0, 0, [read.head]), page(0, 0, 1, [tags])]
  let granule = 0
  let begun: { packets: Uint8Array[]; segments: number; from: number } = { packets: [], segments: 0, from: 0 }
  const end = (flags: number) => pages.push(page(flags, granule, pages.length, begun.packets))
  for (const packet of read.packets) {
    const [samples, segments] = [samplesOf(packet), segmentsOf(packet)]
    const isFull = begun.segments + segments > segmentsMax || granule + samples - begun.from > opusRate
    if (isFull && begun.segments > 0) {
      end(0)
      begun = { packets: [], segments: 0, from: granule }
    }
    begun.packets.push(packet)
    begun.segments += segments
    granule += samples
  }
  end(isLast)
  return pages
}
