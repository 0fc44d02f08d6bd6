import { Elysia } from 'elysia'
import { sha256 } from '../../../base/crypto.ts'
import { acceptsCoding, immutable, isKnown } from '../../../http/conditional.ts'
import styles from './guides.css' with { type: 'text' }
import { type Guide, type GuideFile, guideList } from './pages.ts'
import { renderGuide } from './render.ts'

/** What a page may do: show itself. There is no script, and nothing comes from another address. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const digest = (text: string) => sha256(text).slice(0, 16)
const stylesName = 'guides.css'
/** Changed content has another address. */
const stylesAddress = `${stylesName}?v=${digest(styles)}`

/** A text of the executable, ready to serve. */
interface Prepared {
  readonly text: string
  readonly packed: Uint8Array<ArrayBuffer>
  readonly entityTag: string
}

const prepare = (text: string): Prepared => ({ text, packed: Bun.gzipSync(text), entityTag: `"${digest(text)}"` })

/** The guides at `/docs/<name>`. Their addresses are relative, so that they also work below a path of a proxy. */
export function guideRoutes() {
  /** Made at the first request: most gateways never serve most of them. */
  const pages = new Map<string, Prepared>()
  async function pageOf(guide: GuideFile): Promise<Prepared> {
    const made = pages.get(guide.name)
    if (made) return made
    const markdown = await Bun.file(guide.file).text()
    const page = prepare(renderGuide({ ...guide, markdown }, guideList, stylesAddress))
    pages.set(guide.name, page)
    return page
  }
  const app = new Elysia({ name: 'guides' })
  for (const guide of guideList) {
    app.get(
      `/docs/${guide.name}`,
      async ({ request }) =>
        request.url.endsWith('/') ? toGuide(guide) : answer(request, await pageOf(guide), pageHeaders),
      { detail: { hide: true } },
    )
  }
  const sheet = prepare(styles)
  return app.get(
    `/docs/${stylesName}`,
    ({ request }) =>
      answer(request, sheet, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': request.url.endsWith(stylesAddress) ? immutable : revalidated,
      }),
    { detail: { hide: true } },
  )
}

/** With a slash at its end, every relative address of the page would lead elsewhere. */
const toGuide = ({ name }: Guide) => new Response(null, { status: 308, headers: { location: `../${name}` } })

const revalidated = 'public, no-cache'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': revalidated,
}

function answer(request: Request, { text, packed, entityTag }: Prepared, given: Record<string, string>): Response {
  const headers = { ...given, etag: entityTag, vary: 'accept-encoding' }
  if (isKnown(request, entityTag)) return new Response(null, { status: 304, headers })
  if (!acceptsCoding(request, 'gzip')) return new Response(text, { headers })
  return new Response(packed, { headers: { ...headers, 'content-encoding': 'gzip' } })
}
