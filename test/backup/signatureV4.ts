import type { ObjectStoreOptions } from './objectStore.ts'

const sha256 = (data: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(data).digest('hex')

const hmac = (key: string | Uint8Array, text: string) =>
  new Uint8Array(new Bun.CryptoHasher('sha256', key).update(text).digest())

/** Percent-encodes as the signature asks: everything but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/**
 * The signature that a request must have, written from AWS's description of Signature Version 4, apart from the code
 * that signs.
 * @returns null when the request is not signed, is for another key or region, or its body is not the one that was
 *   signed
 */
export function signatureOf(request: Request, body: Uint8Array, options: ObjectStoreOptions): string | null {
  const header = request.headers.get('authorization') ?? ''
  const [, accessKeyId, day = '', region, names = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=/.exec(
      header,
    ) ?? []
  if (accessKeyId !== options.accessKeyId || region !== options.region) return null
  const bodyHash = request.headers.get('x-amz-content-sha256') ?? ''
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return null
  const moment = request.headers.get('x-amz-date') ?? ''
  if (!moment.startsWith(day) || !names.split(';').includes('host')) return null

  const url = new URL(request.url)
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map(name => `${name}:${(request.headers.get(name) ?? '').trim()}\n`)
  const path = url.pathname
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/')
  const canonical = [request.method, path, query, headers.join(''), names, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')
  const dayKey = hmac(`AWS4${options.secretAccessKey}`, day)
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(dayKey, options.region))
  return Buffer.from(hmac(key, toSign)).toString('hex')
}
