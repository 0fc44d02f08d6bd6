import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import scalarJs from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' }
import pkg from '../../../package.json' with { type: 'json' }
import { acceptsCoding, immutable, isKnown } from '../../http/conditional.ts'

/** The version is pinned, so it identifies the content. */
const version = pkg.dependencies['@scalar/api-reference']
const entityTag = `"scalar-${version}"`

export const scriptPath = '/docs/scalar.js'
/** The URL of the script: another version has another URL. */
export const versionedScriptPath = `${scriptPath}?v=${version}`

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

/** The viewer's script: 3.6 MB, a third of it compressed. */
export async function viewerScript(request: Request): Promise<Response> {
  const isVersioned = request.url.endsWith(`?v=${version}`)
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': isVersioned ? immutable : 'public, no-cache',
    etag: entityTag,
    vary: 'accept-encoding',
  }
  if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers })
  if (!acceptsCoding(request, 'gzip')) return new Response(Bun.file(scalarJs), { headers })
  return new Response(await compressedScript(), { headers: { ...headers, 'content-encoding': 'gzip' } })
}
