/**
 * From this size on a piece is kept as it is: the overhead of a buffer, up to 200 bytes, is small beside it, and
 * copying would cost more than it saves.
 */
const keptBytesMin = 16_384
/** A block is as large as all bytes so far, within these bounds: a short body takes little, a long one few blocks. */
const blockBytes = { min: 512, max: 65_536 } as const

/** This many pieces may be of any size: enough for 300 KB line by line. Reading them takes milliseconds. */
const smallPiecesMax = 4_096
/** The average size beyond them. Nearly all clients send from a buffer, thousands of bytes at a time. */
const pieceBytesMin = 256

/** @returns whether so many pieces are so small that reading them costs too much */
export const areTooSmall = (count: number, bytes: number, smallMax = smallPiecesMax): boolean =>
  count > smallMax + bytes / pieceBytesMin

const noBlock = new Uint8Array(0)

/**
 * Collects bytes that arrive in pieces, whose sizes the far end decides. Each piece is a buffer with its own overhead,
 * and may keep alive a much larger buffer that it is a slice of. So small pieces are copied into blocks: the memory
 * held is at most twice the bytes plus a smallest block, however they are cut. A single piece is not copied.
 */
export class Pieces {
  readonly #smallMax: number | undefined
  readonly #parts: Uint8Array[] = []
  /** The only piece so far: most bodies come in one. */
  #single: Uint8Array | null = null
  #block: Uint8Array = noBlock
  /** The part of the block that is not in `#parts` yet. */
  #from = 0
  #to = 0
  #bytes = 0
  #count = 0

  /** @param smallMax how many pieces may be of any size, where fewer are usual */
  constructor(smallMax?: number) {
    this.#smallMax = smallMax
  }

  /** All bytes so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether the pieces are so small that reading them costs too much. */
  get areTooSmall(): boolean {
    return areTooSmall(this.#count, this.#bytes, this.#smallMax)
  }

  /** @param piece is not changed later */
  add(piece: Uint8Array): void {
    this.#bytes += piece.length
    this.#count += 1
    if (this.#count === 1) {
      this.#single = piece
      return
    }
    if (this.#single) this.#keep(this.#single)
    this.#single = null
    this.#keep(piece)
  }

  /** In their order; they are not copied. */
  list(): readonly Uint8Array[] {
    if (this.#single) return [this.#single]
    this.#endPart()
    return this.#parts
  }

  /** In one buffer; a single piece is not copied. */
  joined(): Uint8Array {
    return this.#single ?? Buffer.concat(this.list())
  }

  #keep(piece: Uint8Array): void {
    if (piece.length >= keptBytesMin && 2 * piece.length >= piece.buffer.byteLength) {
      this.#endPart()
      this.#parts.push(piece)
      return
    }
    for (let at = 0; at < piece.length; ) {
      if (this.#to === this.#block.length) this.#startBlock()
      const fitting = piece.subarray(at, at + this.#block.length - this.#to)
      this.#block.set(fitting, this.#to)
      this.#to += fitting.length
      at += fitting.length
    }
  }

  #startBlock(): void {
    this.#endPart()
    const size = Math.min(Math.max(this.#bytes, blockBytes.min), blockBytes.max)
    // Not of the pool that small buffers share.
    this.#block = Buffer.allocUnsafeSlow(size)
    this.#from = 0
    this.#to = 0
  }

  /** The next piece may go on in the same block. */
  #endPart(): void {
    if (this.#to > this.#from) this.#parts.push(this.#block.subarray(this.#from, this.#to))
    this.#from = this.#to
  }
}
