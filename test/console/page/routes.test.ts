import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Elysia } from 'elysia'
import { languages } from '../../../db/contract/preferences.ts'
import { compress } from '../../../packaging/compress.ts'
import { pack, unpack } from '../../../src/console/page/pack.ts'
import { pageRoutes } from '../../../src/console/page/routes.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'

describe('the page of a gateway that runs from source', () => {
  const gateway = sharedFixture(startTestGateway)

  const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers })

  // Each is built at its first request. On a busy machine, all of them together take longer than one test may.
  for (const language of languages) beforeAll(async () => void (await get('/console', { 'accept-language': language })))

  test('is the same document at /console and at every address below it', async () => {
    const [root, deep] = await Promise.all([get('/console'), get('/console/w/ws_1/messages?status=FAILED')])
    expect([root.status, deep.status]).toEqual([200, 200])
    expect(root.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const document = await root.text()
    expect(document).toContain('<div id="root">')
    // Something is drawn before a script has come.
    expect(document).toContain('<b>Waypost</b>')
    expect(await deep.text()).toBe(document)
  })

  test.each([
    ['', '', 'en'],
    ['de-AT,en;q=0.8', '', 'de'],
    ['fr,es-MX;q=0.9,en;q=0.8', '', 'es'],
    ['en;q=0.5, pt', '', 'pt-BR'],
    ['de;q=0, es;q=0.1', '', 'es'],
    ['ar', '', 'en'],
    ['de', 'waypost_language=es', 'es'],
    ['de', 'waypost_language=fr', 'de'],
  ])(
    'speaks the language that the browser asks for, or that was chosen in it: %p, %p → %p',
    async (accepted, cookie, language) => {
      const document = await get('/console', { 'accept-language': accepted, cookie })
      expect(await document.text()).toContain(`<html lang="${language}">`)
      expect(document.headers.get('vary')).toBe('accept-encoding, accept-language, cookie')
    },
  )

  test('has the words of its language in its scripts, and the files of all languages are there', async () => {
    const scriptsOf = async (language: string) => {
      const document = await (await get('/console', { 'accept-language': language })).text()
      const paths = [...document.matchAll(/src="([^"]+\.js)"/g)].map(([, path = '']) => path)
      return (await Promise.all(paths.map(async path => (await get(path)).text()))).join('')
    }
    expect(await scriptsOf('de')).toContain('Unterhaltungen')
    expect(await scriptsOf('en')).not.toContain('Unterhaltungen')
  })

  test('is where a browser at / is led to, and a program is not', async () => {
    const ask = (accept: string) => fetch(`${gateway.url}/`, { headers: { accept }, redirect: 'manual' })
    const browser = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console'])
    expect((await ask('*/*')).status).toBe(404)
  })

  test('runs no script but its own, and shows itself in no frame', async () => {
    const { headers } = await get('/console/w/ws_1')
    const policy = headers.get('content-security-policy')?.split('; ') ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(await (await get('/console')).text()).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/)
  })

  test('names only files that are there, at addresses that never change their content', async () => {
    const document = await (await get('/console')).text()
    const files = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const path of files) {
      const file = await get(path)
      expect([path, file.status]).toEqual([path, 200])
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('404 NOT_FOUND: a file of another version is not answered with the document', async () => {
    for (const name of ['index-00000000.js', 'index.en.html', 'nowhere.js']) {
      const path = `/console/assets/${name}`
      const answer = await get(path)
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'NOT_FOUND', message: 'No such route.' }])
    }
  })

  test('is sent again only when it changed', async () => {
    const first = await get('/console')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/console', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get('/console', { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

describe('the page of the executable', () => {
  const text = 'const waypost = 1\n'.repeat(500)
  const source = [
    { name: 'index.en.html', type: 'text/html', contents: { identity: bytesOf('<p>') } },
    { name: 'a-00000000.js', type: 'text/javascript', contents: { identity: bytesOf(text) } },
  ]
  const packed = async () => unpack(pack(await Promise.all(source.map(compress))))

  test('comes out of its one file as it went in', async () => {
    const assets = await packed()
    expect(assets.map(({ name, type }) => ({ name, type }))).toEqual(source.map(({ name, type }) => ({ name, type })))
    const [, script] = assets
    expect(brotliDecompressSync(script?.contents.br ?? '').toString()).toBe(text)
    expect(gunzipSync(script?.contents.gzip ?? '').toString()).toBe(text)
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['identity', null],
    ['', null],
  ])('is sent in the smallest coding that the browser takes: %p → %p', async (accepted, coding) => {
    const app = new Elysia().use(pageRoutes(packed))
    const headers = { 'accept-encoding': accepted }
    const answer = await app.handle(new Request('http://localhost/console/assets/a-00000000.js', { headers }))
    expect(answer.headers.get('content-encoding')).toBe(coding)
    // As it is, it is made of the smaller one.
    if (coding === null) expect(await answer.text()).toBe(text)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
  })

  test('is prepared once, and tried again after a failure', async () => {
    const tries: string[] = []
    const app = new Elysia().use(
      pageRoutes(async () => {
        tries.push('read')
        if (tries.length === 1) throw new Error('the disk is busy')
        return packed()
      }),
    )
    const ask = async () => (await app.handle(new Request('http://localhost/console'))).status
    expect([await ask(), await ask(), await ask()]).toEqual([500, 200, 200])
    expect(tries).toHaveLength(2)
  })
})

function bytesOf(content: string) {
  return new Uint8Array(new TextEncoder().encode(content))
}
