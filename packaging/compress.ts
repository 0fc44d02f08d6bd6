import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Asset } from '../src/console/page/pack.ts'

const asGzip = promisify(gzip)
const asBrotli = promisify(brotliCompress)

/**
 * Puts the content into the codings that browsers take. Takes seconds: it is done once, when the executable is built.
 * As it is, it would be two thirds of what the executable carries, in each language, for no browser.
 */
export async function compress({ name, type, contents }: Asset): Promise<Asset> {
  const { identity = new Uint8Array() } = contents
  const [br, zipped] = await Promise.all([
    asBrotli(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
    asGzip(identity, { level: 9 }),
  ])
  return { name, type, contents: { br: new Uint8Array(br), gzip: new Uint8Array(zipped) } }
}
