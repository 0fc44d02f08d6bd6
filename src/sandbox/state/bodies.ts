import { isDeeperThan, parseJson } from '../../base/json.ts'
import { BOUNDS } from './defaults.ts'

/** A body as it arrived, and its value when it is JSON. */
export interface ReceivedBody {
  readonly text: string
  readonly bytes: number
  /** Undefined where it is not JSON. */
  readonly json: unknown
}

/** Why a body is not shown; `forgotten`: dropped for newer ones. Its hash is always kept. */
export type LeftOut = 'too large' | 'too deep' | 'forgotten'

/** What the journal shows of a body: the JSON, or the text where it is none. */
export type ShownBody = { readonly body: unknown } | { readonly bodyLeftOut: LeftOut }

/**
 * The bodies of the journal. They are kept as text, whose size is known, unlike that of parsed JSON; few of them are
 * ever shown.
 */
export class Bodies {
  readonly #kept = new Map<number, Pick<ReceivedBody, 'text' | 'bytes'>>()
  #bytes = 0

  /** @returns why it was not kept, or nothing */
  keep(seq: number, { text, bytes, json }: ReceivedBody): LeftOut | undefined {
    if (bytes > BOUNDS.journalBodyBytes) return 'too large'
    if (isDeeperThan(json, BOUNDS.journalBodyDepth)) return 'too deep'
    this.#kept.set(seq, { text, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= BOUNDS.journalBytes && oldest > seq - BOUNDS.journalEntries) break
      this.#kept.delete(oldest)
      this.#bytes -= freed
    }
    return undefined
  }

  show(seq: number): ShownBody {
    const kept = this.#kept.get(seq)
    if (!kept) return { bodyLeftOut: 'forgotten' }
    const json = parseJson(kept.text)
    return { body: json === undefined ? kept.text : json }
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}
