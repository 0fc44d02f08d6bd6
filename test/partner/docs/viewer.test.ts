import { beforeAll, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'

const gateway = sharedFixture(startTestGateway)
let html: string
let headers: Headers
beforeAll(async () => {
  const response = await fetch(`${gateway.url}/docs`)
  headers = response.headers
  html = await response.text()
})

const attribute = (name: string) =>
  [...html.matchAll(new RegExp(`\\b${name}=["']([^"']*)["']`, 'g'))].map(match => match[1])

describe('the viewer', () => {
  test('is a page that names no other host', () => {
    expect(headers.get('content-type')).toStartWith('text/html')
    expect(html).not.toMatch(/(https?:)?\/\/[a-z0-9-]+(\.[a-z0-9-]+)+/i)
    expect(html).not.toMatch(/url\(|@import/i)
  })

  test('loads its script and the document from the gateway', () => {
    // Relative to /docs: below a path of a proxy the page works the same.
    expect(attribute('src')).toEqual([expect.stringMatching(/^docs\/scalar\.js\?v=\d+\.\d+\.\d+$/)])
    // One document named beside the sections would be shown in place of each of them.
    expect(attribute('data-url')).toEqual([])
    const configuration = JSON.parse(/data-configuration='([^']*)'/.exec(html)?.[1] ?? '')
    expect(configuration).not.toHaveProperty('spec')
    expect(configuration.sources.map(({ url }: { url: string }) => url)).toEqual(['docs/json', 'docs/internal/json'])
  })

  test('has everything switched off that leads to outside services', () => {
    const configuration = /data-configuration='([^']*)'/.exec(html)?.[1] ?? ''
    expect(JSON.parse(configuration)).toMatchObject({
      telemetry: false,
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    })
  })

  test('may not talk to anybody else, says the browser policy', () => {
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/\*|https?:/)
  })

  test('runs its own scripts alone: those in the page are named by their hash', () => {
    const policy = headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
    const inPage = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^<]*)<\/script>/g)].map(([, script = '']) => script)
    const hashes = inPage.map(script => `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`)
    expect(hashes).toHaveLength(1)
    expect(scripts).toEqual(["'self'", ...hashes])
  })

  test('with a slash at its end leads to the one without, where its relative addresses are right', async () => {
    const slashed = await fetch(`${gateway.url}/docs/`, { redirect: 'manual' })
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../docs'])
    const followed = await fetch(`${gateway.url}/docs/`)
    expect([followed.url, await followed.text()]).toEqual([`${gateway.url}/docs`, html])
    expect(followed.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'))
  })

  test('has its document with a slash at the end as well', async () => {
    const [plain, slashed] = await Promise.all(['/docs/json', '/docs/json/'].map(path => fetch(gateway.url + path)))
    expect(await slashed?.text()).toBe((await plain?.text()) ?? '')
  })

  test('links to the guides, and its document says so', async () => {
    const document = (await (await fetch(`${gateway.url}/docs/json`)).json()) as {
      info: { description: string }
      externalDocs: { url: string }
    }
    const linked = [...document.info.description.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    expect(linked).toContain('docs/guides')
    for (const target of [...new Set(linked.map(each => each.split('#')[0] ?? ''))])
      expect([target, (await fetch(new URL(target, `${gateway.url}/docs`))).status]).toEqual([target, 200])
    expect((await fetch(gateway.url + document.externalDocs.url)).status).toBe(200)
  })

  test('names in its quick start the address by which it is asked, and repeats no host that a shell would read', async () => {
    const named = async (host: string) => {
      const answer = await fetch(`${gateway.url}/docs/json`, { headers: { host } })
      return /GATEWAY=(\S*)/.exec(JSON.parse(await answer.text()).info?.description)?.[1]
    }
    expect(await named('gateway.example:8443')).toBe('http://gateway.example:8443')
    expect(await named('a.example;id')).not.toContain(';')
  })

  test('gets its script as JavaScript', async () => {
    const response = await fetch(`${gateway.url}/docs/scalar.js`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('text/javascript')
    const script = await response.text()
    expect(() => new Bun.Transpiler({ loader: 'js' }).scan(script)).not.toThrow()
    expect(script.length).toBeGreaterThan(1_000_000)
  })

  test('gets its script compressed, once for each version', async () => {
    const script = (path: string, headers: Record<string, string>) =>
      fetch(new URL(path, `${gateway.url}/docs`), { headers, decompress: false })
    const [address = ''] = attribute('src')
    const packed = await script(address, { 'accept-encoding': 'br, gzip' })
    expect(Object.fromEntries(packed.headers)).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    const bytes = new Uint8Array(await packed.arrayBuffer())
    const plain = await script(address, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const whole = new Uint8Array(await plain.arrayBuffer())
    expect(bytes.length).toBeLessThan(whole.length / 3)
    expect(Bun.gunzipSync(bytes)).toEqual(whole)

    const etag = packed.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await script('/docs/scalar.js', { 'if-none-match': known })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    // Without its version in the address it may be another one tomorrow.
    const unversioned = await script('/docs/scalar.js', { 'if-none-match': '"older"' })
    expect([unversioned.status, unversioned.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  })

  test('asks for the key by words that are no secret', () => {
    const configuration = JSON.parse(/data-configuration='([^']*)'/.exec(html)?.[1] ?? '')
    expect(configuration.authentication.securitySchemes).toEqual({
      apiKey: { value: 'YOUR_KEY_ID' },
      apiSecret: { value: 'YOUR_KEY_SECRET' },
      xApiKey: { value: 'YOUR_KEY_ID' },
      xApiSecret: { value: 'YOUR_KEY_SECRET' },
    })
  })

  test('needs no key, and neither does the document', async () => {
    const response = await fetch(`${gateway.url}/docs/json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('application/json')
  })
})
