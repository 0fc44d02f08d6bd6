import { signatureOf } from './signatureV4.ts'

export interface ObjectStoreOptions {
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What a test asks the store to do with the next requests. */
export type Fault = (request: Request) => Response | undefined

/**
 * An S3-compatible store on loopback, with as much of the protocol as the gateway uses: objects whole and in parts, listing,
 * deleting. Each request must be signed with the right secret (AWS Signature Version 4), or it is refused with 403.
 */
export class ObjectStore {
  readonly objects = new Map<string, Uint8Array>()
  /** `PUT waypost-….db`, in the order they came; those that were refused are not here. */
  readonly requests: string[] = []
  /** Every text that came over the wire, to look for secrets in. */
  readonly wire: string[] = []
  fault: Fault = () => undefined
  /** Uploads that were begun and neither finished nor given up. */
  readonly openUploads = new Map<string, Map<number, Uint8Array>>()
  readonly #server: Bun.Server<undefined>
  readonly #options: ObjectStoreOptions
  #uploads = 0

  constructor(options: ObjectStoreOptions) {
    this.#options = options
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => this.#answer(request) })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const body = await request.bytes()
    const url = new URL(request.url)
    this.wire.push(`${request.method} ${request.url} ${JSON.stringify([...request.headers])}`)
    const fault = this.fault(request)
    if (fault) return fault
    const expected = signatureOf(request, body, this.#options)
    if (expected === null || expected !== signatureIn(request)) return refusal(403, 'SignatureDoesNotMatch')
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    if (bucket !== this.#options.bucket) return refusal(404, 'NoSuchBucket')
    const key = rest.join('/')
    this.requests.push(`${request.method} ${key}${url.search}`)
    return key === '' ? this.#list(url.searchParams) : this.#object(request, key, url.searchParams, body)
  }

  #object({ method, headers }: Request, key: string, query: URLSearchParams, body: Uint8Array): Response {
    const upload = query.get('uploadId')
    if (method === 'POST' && query.has('uploads')) return this.#begin(key)
    if (upload !== null) return this.#part(method, key, upload, Number(query.get('partNumber')), body)
    const found = this.objects.get(key)
    switch (method) {
      case 'PUT':
        this.objects.set(key, body)
        return new Response(null, { headers: { etag: etagOf(body) } })
      case 'DELETE':
        this.objects.delete(key)
        return new Response(null, { status: 204 })
      case 'HEAD':
      case 'GET':
        if (!found) return refusal(404, 'NoSuchKey')
        return new Response(method === 'HEAD' ? null : new Uint8Array(rangeOf(found, headers.get('range'))), {
          status: headers.has('range') ? 206 : 200,
          headers: {
            etag: etagOf(found),
            'content-length': String(rangeOf(found, headers.get('range')).length),
            'last-modified': new Date(0).toUTCString(),
          },
        })
      default:
        return refusal(405, 'MethodNotAllowed')
    }
  }

  #begin(key: string): Response {
    this.#uploads += 1
    const id = `upload-${this.#uploads}`
    this.openUploads.set(id, new Map())
    return xml(`<InitiateMultipartUploadResult><Bucket>${this.#options.bucket}</Bucket><Key>${key}</Key>
      <UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }

  #part(method: string, key: string, id: string, number: number, body: Uint8Array): Response {
    const parts = this.openUploads.get(id)
    if (!parts) return refusal(404, 'NoSuchUpload')
    if (method === 'PUT') {
      parts.set(number, body)
      return new Response(null, { headers: { etag: etagOf(body) } })
    }
    this.openUploads.delete(id)
    if (method === 'DELETE') return new Response(null, { status: 204 })
    const whole = [...parts].sort(([one], [other]) => one - other).map(([, part]) => part)
    this.objects.set(key, new Uint8Array(Buffer.concat(whole)))
    return xml(`<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"parts"</ETag></CompleteMultipartUploadResult>`)
  }

  /** Two objects a page, so that who lists must turn pages. */
  #list(query: URLSearchParams): Response {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const prefix = query.get('prefix') ?? ''
    const left = [...this.objects.keys()].filter(key => key.startsWith(prefix) && key > after).sort()
    const page = left.slice(0, 2)
    const contents = page.map(
      key => `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`,
    )
    const isMore = left.length > page.length
    const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(`<ListBucketResult><Name>${this.#options.bucket}</Name><IsTruncated>${isMore}</IsTruncated>${next}
      <KeyCount>${page.length}</KeyCount>${contents.join('')}</ListBucketResult>`)
  }
}

const signatureIn = (request: Request) =>
  /Signature=([0-9a-f]{64})/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''

const etagOf = (body: Uint8Array) => `"${new Bun.CryptoHasher('md5').update(body).digest('hex')}"`

const xml = (text: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, { headers: { 'content-type': 'application/xml' } })

export const refusal = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

/** @returns the bytes that `bytes=1-3` names */
function rangeOf(bytes: Uint8Array, range: string | null): Uint8Array {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  return from === undefined ? bytes : bytes.subarray(Number(from), to ? Number(to) + 1 : undefined)
}
