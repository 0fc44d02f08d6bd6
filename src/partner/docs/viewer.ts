import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import scalarJs from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' }
import { documentInfo, partnerDocument } from './document.ts'

const viewerPath = '/docs'
const documentPath = '/docs/json'
const scriptPath = '/docs/scalar.js'

/** Buttons of the viewer that lead to outside services: switched off, the page works without any network. */
const quiet = {
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Words in tables stay in one piece. */
const tableCss = '.markdown table * { word-break: normal !important; overflow-wrap: normal !important }'

/** What the switches above promise, kept by the browser: the page may talk to this gateway and to nobody else. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

/** The API document at `/docs/json` and its viewer at `/docs`. The only file that knows the plugin. */
export function apiDocument() {
  // The routes do not change once the first request is there.
  let document: object | undefined
  return new Elysia({ name: 'docs' })
    .onAfterHandle(({ route, response, set }) => {
      if (route === viewerPath) set.headers['content-security-policy'] = contentSecurityPolicy
      if (route !== documentPath) return
      document ??= partnerDocument(response as object)
      return document
    })
    .use(
      swagger({
        path: viewerPath,
        specPath: documentPath,
        provider: 'scalar',
        scalarCDN: scriptPath,
        scalarConfig: { spec: { url: documentPath }, withDefaultFonts: false, customCss: tableCss, ...quiet },
        documentation: { info: documentInfo },
      }),
    )
    .get(
      scriptPath,
      () => new Response(Bun.file(scalarJs), { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
      { detail: { hide: true } },
    )
}
