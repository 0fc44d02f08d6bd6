/** What a request is signed with. */
export interface Signer {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A request as it is signed: everything that the store must get unchanged. */
export interface Unsigned {
  readonly method: string
  readonly host: string
  /** Encoded by `encoded`. */
  readonly path: string
  /** Names and values as they are, not encoded. */
  readonly query: Readonly<Record<string, string>>
  /** Epoch milliseconds. A store refuses a time that differs from its own by more than 15 minutes. */
  readonly at: number
}

/**
 * The body is not part of the signature: it is sent while it is read. TLS protects it, and its size is compared after
 * an upload.
 */
const payload = 'UNSIGNED-PAYLOAD'
const signedNames = 'host;x-amz-content-sha256;x-amz-date'

/** Percent-encodes everything but letters, digits and `-._~`, as the signature asks. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** @returns the query in the order of its names, as it is signed and sent; empty without one */
export const queryText = (query: Unsigned['query']): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')

/** @returns the headers that sign a request: AWS Signature Version 4 */
export function signatureHeaders({ method, host, path, query, at }: Unsigned, signer: Signer): Record<string, string> {
  const moment = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = moment.slice(0, 8)
  const headers = `host:${host}\nx-amz-content-sha256:${payload}\nx-amz-date:${moment}\n`
  const canonical = [method, path, queryText(query), headers, signedNames, payload].join('\n')
  const scope = `${day}/${signer.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')
  const key = [day, signer.region, 's3', 'aws4_request'].reduce<string | Uint8Array>(
    hmac,
    `AWS4${signer.secretAccessKey}`,
  )
  const signature = Buffer.from(hmac(key, toSign)).toString('hex')
  return {
    'x-amz-content-sha256': payload,
    'x-amz-date': moment,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${signedNames}, ` +
      `Signature=${signature}`,
  }
}

const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

const hmac = (key: string | Uint8Array, text: string): Uint8Array =>
  new Uint8Array(new Bun.CryptoHasher('sha256', key).update(text).digest())
