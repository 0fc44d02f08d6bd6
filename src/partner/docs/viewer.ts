import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { isObject, type JsonObject } from '../../base/json.ts'
import { publicPath } from '../../http/answers.ts'
import type { Peers } from '../../http/peer.ts'
import { pathOf } from '../../http/requestLog.ts'
import { documentInfo, partnerDocument } from './document.ts'
import { quickStartAddress } from './text.ts'
import { scriptPath, versionedScriptPath, viewerScript } from './viewerScript.ts'

const viewerPath = '/docs'
const documentPath = '/docs/json'
/** Relative to the viewer's page, so that it also works below a path of a proxy. */
const fromViewer = (path: string) => path.slice(1)

/** Buttons of the viewer that lead to outside services. Switched off, so that the page works offline. */
const quiet = {
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Words in tables are not broken. On a phone, tables are smaller, and wide ones scroll. */
const tableCss = `
.markdown table * { word-break: normal !important; overflow-wrap: normal !important }
@media (max-width: 600px) {
  .markdown table { display: block !important; width: 100% !important; overflow-x: auto !important }
  .markdown table :is(th, td) { padding: 6px 5px !important; font-size: 12px !important; min-width: 0 !important }
  .markdown table code { padding: 0 !important; font-size: 10px !important; border: none !important }
}
`

/** The caller's key in the samples. The viewer's default looks like a secret. */
const placeholders = {
  apiKey: { value: 'YOUR_KEY_ID' },
  apiSecret: { value: 'YOUR_KEY_SECRET' },
  xApiKey: { value: 'YOUR_KEY_ID' },
  xApiSecret: { value: 'YOUR_KEY_SECRET' },
}

/**
 * The only inline script of the page: it carries the viewer's configuration as an attribute, and contains only white
 * space. The policy allows it by its hash.
 */
const configurationScript = "'sha256-TcUB1mzXiQO4GxpTRZ0EMpOXKMU3u+n/q1WrgVIcs1I='"

/**
 * Makes the browser enforce the switches above: the page may only call this gateway, and runs only our scripts. Styles
 * cannot be limited in this way, because the viewer adds them to the page as it draws.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  `script-src 'self' ${configurationScript}`,
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

/** The plugin names one document in two places; the viewer would show it instead of both sections. */
async function withSections(page: Response): Promise<Response> {
  const named = [`data-url="${fromViewer(documentPath)}"`, `"spec":{"url":"${fromViewer(documentPath)}"},`]
  const html = named.reduce((text, name) => text.replace(name, ''), await page.text())
  return new Response(html, { headers: page.headers })
}

/** Only what stands in a shell as it is: the host is the caller's own words. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i

/** @returns the address that the caller has asked; null when its host is not plain */
function addressIn(request: Request, isTls: boolean): string | null {
  const host = request.headers.get('host') ?? ''
  return plainHost.test(host) ? `${isTls ? 'https' : 'http'}://${host}` : null
}

function withAddress(document: JsonObject, address: string | null): JsonObject {
  const { info } = document
  if (address === null || !isObject(info)) return document
  const description = String(info.description).replaceAll(quickStartAddress, () => address.replace(/\/+$/, ''))
  return { ...document, info: { ...info, description } }
}

/** The viewer shows one of them at a time, with a choice at the top; first the one for partners. */
const sections = (internalDocumentPath: string) => ({
  sources: [
    { title: 'Partner API', slug: 'partner', url: fromViewer(documentPath), default: true },
    { title: 'Internal routes', slug: 'internal', url: fromViewer(internalDocumentPath) },
  ],
})

/**
 * The API document at `/docs/json` and its viewer at `/docs`. The only file that knows the plugin, which
 * gets the themes of the viewer (package.json): those that it names load a library of schemas at each start.
 * @param publicUrl the address of the gateway, which its quick start names; else the one that is asked
 * @param internalDocumentPath of the document of the routes that are no part of the partner API
 */
export function apiDocument(peers: Pick<Peers, 'cameByTls'>, publicUrl: string | null, internalDocumentPath: string) {
  // The routes do not change after the first request.
  let document: JsonObject | undefined
  return new Elysia({ name: 'docs' })
    .onBeforeHandle(({ route, request }) => {
      // With a slash at its end, every relative address of the page would lead elsewhere.
      const isMisplaced = route === viewerPath && pathOf(request.url).endsWith('/')
      return isMisplaced ? new Response(null, { status: 308, headers: { location: '../docs' } }) : undefined
    })
    .onAfterHandle(({ route, request, response, server, set }) => {
      if (route === viewerPath) {
        set.headers['content-security-policy'] = contentSecurityPolicy
        // The router passes a fixed answer on as a function that copies it. A redirect is an answer already.
        return typeof response === 'function' ? withSections((response as () => Response)()) : undefined
      }
      if (route !== documentPath) return
      document ??= partnerDocument(response as object, publicPath(publicUrl))
      return withAddress(document, publicUrl ?? addressIn(request, peers.cameByTls(request, server)))
    })
    .use(
      swagger({
        path: viewerPath,
        specPath: documentPath,
        provider: 'scalar',
        scalarCDN: fromViewer(versionedScriptPath),
        scalarConfig: {
          spec: { url: fromViewer(documentPath) },
          ...sections(internalDocumentPath),
          withDefaultFonts: false,
          customCss: tableCss,
          authentication: { securitySchemes: placeholders },
          ...quiet,
        },
        documentation: { info: documentInfo },
      }),
    )
    .get(scriptPath, ({ request }) => viewerScript(request), { detail: { hide: true } })
}
