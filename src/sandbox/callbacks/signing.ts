import { asciiJson } from '../../base/json.ts'

/** Writes JSON the way the upstream does, with `/` as `\/` if asked, which occurs only inside strings too. */
export function escapeJson(json: string, escapeSlashes = false): string {
  const ascii = asciiJson(json)
  return escapeSlashes ? ascii.replaceAll('/', '\\/') : ascii
}

/** @returns the value of `X-Hub-Signature-256` for exactly these bytes. */
export function signatureOf(bytes: Uint8Array | string, appSecret: string): string {
  return `sha256=${new Bun.CryptoHasher('sha256', appSecret).update(bytes).digest('hex')}`
}

export type SignatureMode = 'good' | 'wrong' | 'missing' | 'truncated'

/** @returns the signature header, or none when it should be missing. */
export function signatureHeader(body: string, appSecret: string, mode: SignatureMode): string | undefined {
  switch (mode) {
    case 'good':
      return signatureOf(body, appSecret)
    case 'wrong':
      return signatureOf(body, `${appSecret}, but wrong`)
    case 'truncated':
      return signatureOf(body, appSecret).slice(0, -8)
    case 'missing':
      return undefined
  }
}
