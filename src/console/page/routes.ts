import { Elysia } from 'elysia'
import { sha256 } from '../../base/crypto.ts'
import { GatewayError } from '../../base/errors.ts'
import { acceptsCoding, immutable, isKnown } from '../../http/conditional.ts'
import { noSuchRoute } from '../../http/errors.ts'
import { assetPrefix, bundlePage } from './bundle.ts'
import { type Asset, codings, documentName, unpack } from './pack.ts'

/**
 * The page runs only our scripts, and connects only to this gateway. Styles are also written into the page as it is
 * drawn, by the component library.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const documentHeaders = {
  'content-security-policy': contentSecurityPolicy,
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  // Revalidated each time: it names the scripts of this version.
  'cache-control': 'no-cache',
}

interface ServedAsset extends Asset {
  /** Weak (RFC 9110 8.8.1) where it is sent: the content in each coding has the same one. */
  readonly entityTag: string
}

/**
 * The page of the console: its document at `/console` and below, for deep links, and its files at `/console/assets/`.
 * `/` redirects a browser to it. It is prepared at the first request. A failure is not kept.
 */
export function pageRoutes(read: () => Promise<readonly Asset[]> = pageAssets) {
  let prepared: Promise<ReadonlyMap<string, ServedAsset>> | undefined
  const find = async (name: string) => {
    prepared ??= read().then(byName)
    try {
      return (await prepared).get(name)
    } catch (cause) {
      prepared = undefined
      throw cause
    }
  }
  const serveDocument = async ({ request, set }: Context) => {
    const document = await find(documentName)
    if (!document) throw new Error('the page has no document')
    return answer(document, request, { ...copied(set.headers), ...documentHeaders })
  }
  return new Elysia({ name: 'console-page' })
    .get(
      `${assetPrefix}:name`,
      async ({ request, params, set }) => {
        const asset = params.name === documentName ? undefined : await find(params.name)
        if (!asset) throw new GatewayError(noSuchRoute)
        return answer(asset, request, { ...copied(set.headers), 'cache-control': immutable })
      },
      hidden,
    )
    .get(
      '/',
      ({ request, redirect }) => {
        // A program that accepts anything has no use for a page.
        if (!request.headers.get('accept')?.includes('text/html')) throw new GatewayError(noSuchRoute)
        return redirect('/console')
      },
      hidden,
    )
    .get('/console', serveDocument, hidden)
    .get('/console/*', serveDocument, hidden)
}

const hidden = { detail: { hide: true } } as const

interface Context {
  readonly request: Request
  readonly set: { readonly headers: Readonly<Record<string, unknown>> }
}

/** The headers that every answer has. */
const copied = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const byName = (assets: readonly Asset[]) =>
  new Map(assets.map(asset => [asset.name, { ...asset, entityTag: `"${sha256(asset.contents.identity ?? '')}"` }]))

function answer({ type, contents, entityTag }: ServedAsset, request: Request, headers: Record<string, string>) {
  const all: Record<string, string> = {
    ...headers,
    'content-type': type,
    etag: `W/${entityTag}`,
    vary: 'accept-encoding',
  }
  if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers: all })
  const coding = codings.find(name => contents[name] && acceptsCoding(request, name)) ?? 'identity'
  if (coding !== 'identity') all['content-encoding'] = coding
  return new Response(contents[coding] ?? null, { headers: all })
}

/**
 * The files of the page. The executable has them inside; from source they are built, in a quarter of a second.
 * @throws Error when they cannot be built
 */
async function pageAssets(): Promise<readonly Asset[]> {
  if (!Bun.isStandaloneExecutable) return (await bundlePage()).assets
  const { default: path } = await import('../../../dist/console.pack', { with: { type: 'file' } })
  return unpack(await Bun.file(path).bytes())
}
