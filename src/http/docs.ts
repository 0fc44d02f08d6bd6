import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import scalarJs from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with { type: 'file' }
import pkg from '../../package.json' with { type: 'json' }

/** Buttons of the viewer that lead to outside services: switched off, the page works without any network. */
const quiet = {
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** The API document at `/docs/json` and its viewer at `/docs`. The only file that knows the plugin. */
export const apiDocument = () =>
  new Elysia({ name: 'docs' })
    .use(
      swagger({
        path: '/docs',
        provider: 'scalar',
        scalarCDN: '/docs/scalar.js',
        scalarConfig: { spec: { url: '/docs/json' }, withDefaultFonts: false, ...quiet },
        documentation: {
          info: { title: 'Waypost', version: pkg.version, description: 'Partner messaging API.' },
        },
      }),
    )
    .get(
      '/docs/scalar.js',
      () => new Response(Bun.file(scalarJs), { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
      { detail: { hide: true } },
    )
