import type { Clock } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { bytesMaxOf, fileKindOf, isOfType } from '../checks/sniff.ts'
import { BoundedMap } from './bounded.ts'
import { BOUNDS, SANDBOX } from './defaults.ts'
import { newTraceId, type Random } from './random.ts'

/** The file types for an example's upload (docs/upstream.md#template-creation). */
const exampleTypes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']

interface Session {
  readonly fileName: string
  readonly length: number
  readonly type: string
  /** The bytes received. An interrupted upload resumes after them. */
  readonly bytes: Uint8Array
}

/** The app's user that the handle of a file names. */
const userId = '122102290129340'

/** The handles live about as long as the upstream's. */
const handleMs = 30 * dayMs

export type UploadStep = { readonly handle: string } | { readonly offset: number } | { readonly refusal: Refusal }

/** Resumable uploads: examples of headers, which a template names by handle. */
export class Uploads {
  readonly #sessions = new BoundedMap<string, Session>(BOUNDS.uploads)
  /** The type of the file behind each handle. */
  readonly #handles = new BoundedMap<string, { type: string; fileName: string }>(BOUNDS.mediaFiles)
  readonly #clock: Clock
  readonly #random: Random

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** `POST /<app>/uploads?file_name&file_length&file_type` */
  open(query: URLSearchParams): { readonly id: string } | { readonly refusal: Refusal } {
    const length = Number(query.get('file_length'))
    const type = query.get('file_type') ?? ''
    const kind = fileKindOf(type === 'image/jpg' ? 'image/jpeg' : type)
    if (!exampleTypes.includes(type) || !kind) return { refusal: PROBLEMS.notOneOf('file_type', exampleTypes) }
    if (!Number.isSafeInteger(length) || length < 1) return { refusal: PROBLEMS.required('file_length') }
    const bytesMax = bytesMaxOf(kind, new Uint8Array())
    if (length > bytesMax) return { refusal: PROBLEMS.invalidParameter(`The file is larger than ${bytesMax} bytes.`) }
    const id = `upload:${base64(newTraceId(this.#random))}?sig=${newTraceId(this.#random)}`
    this.#sessions.set(id, { fileName: query.get('file_name') ?? 'file', length, type, bytes: new Uint8Array() })
    return { id }
  }

  /** `POST /<id>` with the bytes from `file_offset` on. */
  write(id: string, offset: string | null, bytes: Uint8Array): UploadStep {
    const session = this.#sessions.get(id)
    if (!session) return { refusal: PROBLEMS.unknownObject(id) }
    if (offset !== String(session.bytes.length))
      return { refusal: PROBLEMS.invalidParameter(`file_offset must be ${session.bytes.length}`) }
    const arrived = Buffer.concat([session.bytes, bytes])
    if (arrived.length > session.length)
      return { refusal: PROBLEMS.invalidParameter('The file is longer than file_length says.') }
    if (arrived.length < session.length) {
      this.#sessions.set(id, { ...session, bytes: arrived })
      return { offset: arrived.length }
    }
    const type = session.type === 'image/jpg' ? 'image/jpeg' : session.type
    if (!isOfType(type, arrived))
      return { refusal: PROBLEMS.invalidParameter(`The file's content is not of type ${type}.`) }
    this.#sessions.delete(id)
    const expiry = Math.floor((this.#clock.now() + handleMs) / 1_000)
    const signature = () => `AR${base64(newTraceId(this.#random))}`
    const handle = `4::${base64(type)}:${signature()}:e:${expiry}:${SANDBOX.appId}:${userId}:${signature()}`
    this.#handles.set(handle, { type, fileName: session.fileName })
    return { handle }
  }

  /** `GET /<id>`: how much has arrived. */
  offsetOf(id: string): number | undefined {
    return this.#sessions.get(id)?.bytes.length
  }

  /** @returns the file behind a handle; nothing when no upload gave it */
  find(handle: string): { readonly type: string; readonly fileName: string } | undefined {
    return this.#handles.get(handle)
  }

  clear(): void {
    this.#sessions.clear()
    this.#handles.clear()
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')
