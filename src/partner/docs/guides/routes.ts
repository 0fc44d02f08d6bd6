import { Elysia } from 'elysia'
import { publicPath } from '../../../http/answers.ts'
import { acceptsCoding, immutable, isKnown } from '../../../http/conditional.ts'
import { type BuiltFile, baseMark, missingName, versionOf } from './names.ts'
import { guideList } from './pages.ts'

/** What a page may do: show itself, run its own script, and ask this gateway for the index of the search. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A file of the guides, ready to serve. */
interface Prepared {
  readonly type: string
  readonly packed: Uint8Array<ArrayBuffer>
  readonly version: string
}

/** Read at the first request: most gateways never serve any. A failure is not kept. */
let prepared: Promise<ReadonlyMap<string, Prepared>> | undefined
async function fileOf(name: string): Promise<Prepared> {
  prepared ??= builtFiles()
    .then(files => new Map(files.map(file => [file.name, prepare(file)])))
    .catch((cause: unknown) => {
      prepared = undefined
      throw cause
    })
  const file = (await prepared).get(name)
  if (!file) throw new Error(`the guides have no ${name}`)
  return file
}

const prepare = (file: BuiltFile): Prepared => ({
  type: file.type,
  packed: new Uint8Array(Buffer.from(file.packed, 'base64')),
  version: versionOf(file),
})

/** The executable has them inside; from source they are made, in half a second. */
async function builtFiles(): Promise<readonly BuiltFile[]> {
  if (!Bun.isStandaloneExecutable) return (await import('./build.ts')).buildGuides()
  const { default: path } = await import('../../../../dist/guides.pack', { with: { type: 'file' } })
  return (await Bun.file(path).json()) as readonly BuiltFile[]
}

/** The guides at `/docs/<name>`. Their addresses are relative, so that they also work below a path of a proxy. */
export function guideRoutes() {
  const app = new Elysia({ name: 'guides' })
  for (const { name } of guideList) {
    app.get(
      `/docs/${name}`,
      ({ request }) =>
        // With a slash at its end, every relative address of the page would lead elsewhere.
        request.url.endsWith('/') ? movedTo(`../${name}`) : answer(request, name, pageHeaders),
      hidden,
    )
    // Where the files of the repository stand, people look for the page too.
    app.get(
      `/docs/guides/${name}`,
      ({ request }) => movedTo(`${request.url.endsWith('/') ? '../' : ''}../${name}`),
      hidden,
    )
  }
  for (const name of ['guides.css', 'guides.js', 'guides.json']) {
    app.get(`/docs/${name}`, ({ request }) => answerLoaded(request, name), hidden)
  }
  return app
}

const hidden = { detail: { hide: true } } as const

const movedTo = (location: string) => new Response(null, { status: 308, headers: { location } })

const revalidated = 'public, no-cache'

const pageHeaders = { 'content-security-policy': contentSecurityPolicy, 'cache-control': revalidated }

/** While versions change, a page of the other one asks for what is not here: that is not kept under its address. */
async function answerLoaded(request: Request, name: string): Promise<Response> {
  const { version } = await fileOf(name)
  return answer(request, name, { 'cache-control': request.url.endsWith(`?v=${version}`) ? immutable : revalidated })
}

async function answer(request: Request, name: string, given: Record<string, string>): Promise<Response> {
  const { type, packed, version } = await fileOf(name)
  const entityTag = `"${version}"`
  const headers = { ...given, 'content-type': type, etag: entityTag, vary: 'accept-encoding' }
  if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers })
  if (!acceptsCoding(request, 'gzip')) return new Response(Bun.gunzipSync(packed), { headers })
  return new Response(packed, { headers: { ...headers, 'content-encoding': 'gzip' } })
}

/** The page of an address that does not exist, for people: it leads on. @param publicUrl the address of the gateway */
export function missingPage(publicUrl: string | null) {
  return async (headers: Record<string, string>): Promise<Response> => {
    const { type, packed } = await fileOf(missingName)
    const html = new TextDecoder().decode(Bun.gunzipSync(packed)).replaceAll(baseMark, `${publicPath(publicUrl)}/docs/`)
    const all = { ...headers, ...pageHeaders, 'content-type': type, 'cache-control': 'no-store' }
    return new Response(html, { status: 404, headers: all })
  }
}
