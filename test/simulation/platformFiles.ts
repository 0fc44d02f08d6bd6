import { writeFileSync } from 'node:fs'
import { wait } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import type { Download, download } from '../../src/media/incoming/download.ts'
import { headBytes } from '../../src/media/outgoing/types.ts'
import type { Exchange, HttpRequest } from '../../src/transport/transport.ts'
import { settings } from './gateway.ts'
import type { Fetching } from './history.ts'

/** What becomes of an upload. */
export interface Taking {
  readonly says: 'taken' | 'lost' | 'refused' | 'overloaded'
  readonly afterMs: number
}

/** A file of a user, until it is fetched. */
interface Sent {
  readonly wamid: string
  readonly content: Buffer
  readonly fetches: readonly Fetching[]
  attempts: number
}

const usualTaking: Taking = { says: 'taken', afterMs: 5 }
const usualFetching: Fetching = { says: 'whole', afterMs: 5 }
const whole = /filename="[^"]*"\r\nContent-Type: [^\r]*\r\n\r\n([\s\S]*)\r\n--/

const answered = (status: number, body: object): Exchange => ({
  ...{ kind: 'answered', status, headers: {}, body: JSON.stringify(body) },
})
const refused = (status: number, code: number, more: object = {}): Exchange =>
  answered(status, { error: { code, message: 'no', type: 'OAuthException', fbtrace_id: 't', ...more } })
const noSuch = (id: string): Exchange =>
  refused(400, 100, { error_subcode: 33, message: `Unsupported get request. Object with ID '${id}' does not exist` })
const lost: Exchange = { kind: 'lost', why: 'the connection was reset' }

/** A file that a caller gives. @param name of the send that shows it */
export const documentOf = (name: string) => `%PDF-1.4 ${name} ${'x'.repeat(200)}`
/** A picture of a user. */
export const pictureOf = (wamid: string) => Buffer.from(`\xff\xd8\xff ${wamid} ${'y'.repeat(200)}`, 'latin1')

/** The platform's store of files: what is uploaded to be sent, and what users have sent. */
export class PlatformFiles {
  readonly #takingsOf: (name: string) => readonly Taking[]
  readonly #attempts = new Map<string, number>()
  readonly #taken = new Map<string, { readonly phoneId: string; readonly content: string }>()
  readonly #sent = new Map<string, Sent>()
  /** Messages whose files it said it does not have. */
  readonly gone = new Set<string>()
  isCalm = false

  /** @param takingsOf what becomes of the uploads for a send, by its name */
  constructor(takingsOf: (name: string) => readonly Taking[]) {
    this.#takingsOf = takingsOf
  }

  /** @returns what comes of an upload, and when */
  take(url: string, body: HttpRequest['body']): { readonly afterMs: number; readonly exchange: Exchange } {
    // The client writes a form in pieces.
    const form = Buffer.concat(body as readonly Uint8Array[]).toString('latin1')
    const content = whole.exec(form)?.[1] ?? ''
    const name = content.split(' ')[1] ?? ''
    const nth = this.#attempts.get(name) ?? 0
    this.#attempts.set(name, nth + 1)
    const { says, afterMs } = (this.isCalm ? undefined : this.#takingsOf(name)[nth]) ?? usualTaking
    if (says === 'refused') return { afterMs, exchange: refused(400, 100) }
    if (says === 'overloaded') return { afterMs, exchange: refused(500, 131016) }
    const id = String(800_000 + this.#taken.size)
    this.#taken.set(id, { phoneId: url.split('/').at(-2) ?? '', content })
    return { afterMs, exchange: says === 'lost' ? lost : answered(200, { id }) }
  }

  /** @returns the file of that id on a line; null: there is none */
  contentOf(id: string, phoneId: string): string | null {
    const taken = this.#taken.get(id)
    return taken?.phoneId === phoneId ? taken.content : null
  }

  /** A user sends a file. */
  note(id: string, wamid: string, fetches: readonly Fetching[]): void {
    if (!this.#sent.has(id)) this.#sent.set(id, { wamid, content: pictureOf(wamid), fetches, attempts: 0 })
  }

  /** Begins an attempt to fetch a file. @returns where it is */
  describe(id: string): Exchange {
    const sent = this.#sent.get(id)
    if (!sent) return noSuch(id)
    sent.attempts += 1
    const { says } = this.#planned(sent)
    if (says === 'gone') {
      this.gone.add(sent.wamid)
      return noSuch(id)
    }
    if (says === 'overloaded') return refused(500, 131016)
    if (says === 'lost') return lost
    const { content } = sent
    const url = `${settings.apiUrl}/files/${id}`
    return answered(200, { url, sha256: sha256(content), mime_type: 'image/jpeg', file_size: content.length, id })
  }

  /** Also once all is calm: what comes of an attempt is due to be tried again in seconds, and then it works. */
  #planned({ fetches, attempts }: Sent): Fetching {
    return fetches[attempts - 1] ?? usualFetching
  }

  /** In place of what goes over the network: half of a file is there for a while. */
  readonly download: typeof download = async ({ url, path }, clock): Promise<Download> => {
    const sent = this.#sent.get(url.pathname.split('/').at(-1) ?? '')
    if (!sent) return { kind: 'failed', why: 'its server answered HTTP 404' }
    const { says, afterMs } = this.#planned(sent)
    const content = says === 'other' ? Buffer.concat([sent.content, Buffer.from('!')]) : sent.content
    writeFileSync(path, content.subarray(0, content.length >> 1))
    await wait(clock, afterMs)
    if (says === 'broken') return { kind: 'failed', why: 'the connection was reset' }
    writeFileSync(path, content)
    return { kind: 'downloaded', bytes: content.length, sha256: sha256(content), head: content.subarray(0, headBytes) }
  }
}
