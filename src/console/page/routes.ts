import { Elysia } from 'elysia'
import { type Language, languages } from '../../../db/contract/preferences.ts'
import { sha256 } from '../../base/crypto.ts'
import { GatewayError } from '../../base/errors.ts'
import { acceptsCoding, immutable, isKnown } from '../../http/conditional.ts'
import { noSuchRoute } from '../../http/errors.ts'
import { assetPrefix, bundlePage } from './bundle.ts'
import { documentLanguage } from './language.ts'
import { type Asset, codings, documentName, identityOf, unpack } from './pack.ts'

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
 * The page of the console: its document at `/console` and below, for deep links, in the language of the browser, and
 * its files at `/console/assets/`. `/` redirects a browser to it. A language is prepared at the first request for it.
 * A failure is not kept.
 * @param read the files of a language's page; others may be among them
 */
export function pageRoutes(read: (language: Language) => Promise<readonly Asset[]> = pageAssets) {
  const prepared = new Map<Language, Promise<ReadonlyMap<string, ServedAsset>>>()
  const find = async (language: Language, name: string) => {
    const files = prepared.get(language) ?? read(language).then(byName)
    prepared.set(language, files)
    try {
      return (await files).get(name)
    } catch (cause) {
      prepared.delete(language)
      throw cause
    }
  }
  /**
   * The name of a file does not tell its language: an open page may ask for one right after a restart. Else it is of a
   * language that was asked for before.
   */
  const findInAny = async (name: string) => {
    if (!isFileName.test(name)) return undefined
    const isLater = (language: Language) => Number(!prepared.has(language))
    for (const language of languages.toSorted((one, other) => isLater(one) - isLater(other))) {
      const asset = await find(language, name)
      if (asset) return asset
    }
    return undefined
  }
  const serveDocument = async ({ request, set }: Context) => {
    const language = documentLanguage(request)
    const document = await find(language, documentName(language))
    if (!document) throw new Error('the page has no document')
    const vary = 'accept-encoding, accept-language, cookie'
    return answer(document, request, { ...copied(set.headers), ...documentHeaders, vary })
  }
  return new Elysia({ name: 'console-page' })
    .get(
      `${assetPrefix}:name`,
      async ({ request, params, set }) => {
        const asset = await findInAny(params.name)
        if (!asset) throw new GatewayError(noSuchRoute)
        return answer(asset, request, { ...copied(set.headers), 'cache-control': immutable, vary: 'accept-encoding' })
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

/** Every file but the document has its content in its name: any other name leads to no language's files. */
const isFileName = /-[a-z0-9]{8}\.\w+$/

interface Context {
  readonly request: Request
  readonly set: { readonly headers: Readonly<Record<string, unknown>> }
}

/** The headers that every answer has. */
const copied = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const byName = (assets: readonly Asset[]) => new Map(assets.map(asset => [asset.name, served(asset)]))

/** Most files of most languages are never asked for, and to know one as it is takes long: each when it is. */
function served(asset: Asset): ServedAsset {
  let entityTag: string | undefined
  return {
    ...asset,
    get entityTag() {
      entityTag ??= `"${sha256(identityOf(asset))}"`
      return entityTag
    },
  }
}

function answer(asset: ServedAsset, request: Request, headers: Record<string, string>) {
  const { type, contents, entityTag } = asset
  const all: Record<string, string> = {
    ...headers,
    'content-type': type,
    etag: `W/${entityTag}`,
  }
  if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers: all })
  const coding = codings.find(name => contents[name] && acceptsCoding(request, name)) ?? 'identity'
  if (coding !== 'identity') all['content-encoding'] = coding
  return new Response(contents[coding] ?? identityOf(asset), { headers: all })
}

/** By language; those of the executable are all behind the first one. */
const pages = new Map<Language, Promise<readonly Asset[]>>()

/**
 * The files of a language's page. The executable has those of all languages inside; from source they are built, in half
 * a second, once in a process.
 * @throws Error when they cannot be built
 */
async function pageAssets(language: Language): Promise<readonly Asset[]> {
  const from = Bun.isStandaloneExecutable ? languages[0] : language
  const page = pages.get(from) ?? (Bun.isStandaloneExecutable ? embedded() : built(language))
  pages.set(from, page)
  try {
    return await page
  } catch (cause) {
    pages.delete(from)
    throw cause
  }
}

const built = async (language: Language) => (await bundlePage(language)).assets

async function embedded(): Promise<readonly Asset[]> {
  const { default: path } = await import('../../../dist/console.pack', { with: { type: 'file' } })
  return unpack(await Bun.file(path).bytes())
}
