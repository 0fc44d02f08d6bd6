import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestGateway, type TestGateway } from '../../gateway.ts'

let gateway: TestGateway
let html: string
let headers: Headers
beforeAll(async () => {
  gateway = await startTestGateway()
  const response = await fetch(`${gateway.url}/docs`)
  headers = response.headers
  html = await response.text()
})
afterAll(() => gateway.stop())

const attribute = (name: string) =>
  [...html.matchAll(new RegExp(`\\b${name}=["']([^"']*)["']`, 'g'))].map(match => match[1])

describe('the viewer', () => {
  test('is a page that names no other host', () => {
    expect(headers.get('content-type')).toStartWith('text/html')
    expect(html).not.toMatch(/(https?:)?\/\/[a-z0-9-]+(\.[a-z0-9-]+)+/i)
    expect(html).not.toMatch(/url\(|@import/i)
  })

  test('loads its script and the document from the gateway', () => {
    expect(attribute('src')).toEqual(['/docs/scalar.js'])
    expect(attribute('data-url')).toEqual(['/docs/json'])
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

  test.each(['/docs', '/docs/json'])('%s is the same with a slash at its end', async path => {
    const [plain, slashed] = await Promise.all([path, `${path}/`].map(each => fetch(gateway.url + each)))
    const policy = 'content-security-policy'
    expect(slashed?.headers.get(policy) ?? null).toBe(plain?.headers.get(policy) ?? null)
    expect(await slashed?.text()).toBe((await plain?.text()) ?? '')
  })

  test('gets its script as JavaScript', async () => {
    const response = await fetch(`${gateway.url}/docs/scalar.js`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('text/javascript')
    const script = await response.text()
    expect(() => new Bun.Transpiler({ loader: 'js' }).scan(script)).not.toThrow()
    expect(script.length).toBeGreaterThan(1_000_000)
  })

  test('needs no key, and neither does the document', async () => {
    const response = await fetch(`${gateway.url}/docs/json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('application/json')
  })
})
