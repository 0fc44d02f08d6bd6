import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import scalarJs from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' }
import pkg from '../../../package.json' with { type: 'json' }

/** The version is pinned, so it identifies the content. */
const version = pkg.dependencies['@scalar/api-reference']
const entityTag = `"scalar-${version}"`

export const scriptPath = '/docs/scalar.js'
/** The address of the script: another version has another address. */
export const versionedScriptPath = `${scriptPath}?v=${version}`

const yearSeconds = 31_536_000
const compress = promisify(gzip)

/** Compressed once, not on the main thread. A failure is not kept. */
let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined
async function compressedScript(): Promise<Uint8Array<ArrayBuffer>> {
  compressed ??= Bun.file(scalarJs)
    .bytes()
    .then(bytes => compress(bytes))
    .then(packed => new Uint8Array(packed))
    .catch((error: unknown) => {
      compressed = undefined
      throw error
    })
  return compressed
}

/**
 * The viewer's script: 3.6 MB, a third of it compressed. RFC 9110 8.8.3 and 13.1.2: when the browser sends the entity
 * tag again, the answer is 304.
 */
export async function viewerScript(request: Request): Promise<Response> {
  const isVersioned = request.url.endsWith(`?v=${version}`)
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': isVersioned ? `public, max-age=${yearSeconds}, immutable` : 'public, no-cache',
    etag: entityTag,
    vary: 'accept-encoding',
  }
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  if (known.some(tag => tag.trim().replace(/^W\//, '') === entityTag))
    return new Response(null, { status: 304, headers })
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get('accept-encoding') ?? '')
  if (!takesGzip) return new Response(Bun.file(scalarJs), { headers })
  return new Response(await compressedScript(), { headers: { ...headers, 'content-encoding': 'gzip' } })
}
