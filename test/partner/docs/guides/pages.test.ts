import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PARTNER_ERRORS } from '../../../../src/base/errors.ts'
import { settingNames } from '../../../../src/config/settings.ts'
import { guideList } from '../../../../src/partner/docs/guides/pages.ts'
import { renderGuide } from '../../../../src/partner/docs/guides/render.ts'
import { sharedFixture } from '../../../fixture.ts'
import { startTestGateway } from '../../../gateway.ts'

const root = join(import.meta.dir, '../../../..')
const gateway = sharedFixture(() => startTestGateway({ env: { LOG_LEVEL: 'silent' } }))
/** The pages as they are served, by address. */
const pages = new Map<string, string>()

beforeAll(async () => {
  for (const { name } of guideList)
    pages.set(`/docs/${name}`, await (await fetch(`${gateway.url}/docs/${name}`)).text())
})

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

test('every document of docs/ is a guide, and no two have one address', () => {
  const documents = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  expect(guideList.map(({ path }) => path)).toEqual(expect.arrayContaining(documents.map(name => `docs/${name}`)))
  expect(new Set(guideList.map(({ name }) => name)).size).toBe(guideList.length)
})

test('every document of docs/ is in the index', () => {
  const index = pages.get('/docs/guides') ?? ''
  const linked = attributes(index, 'href').map(href => href.split('#')[0])
  const missing = guideList.filter(({ name }) => name !== 'guides' && !linked.includes(name))
  expect(missing.map(({ path }) => path)).toEqual([])
})

test('every link of a page leads to a page and to a heading that the executable has', async () => {
  const broken: string[] = []
  const others = new Set<string>()
  for (const [address, html] of pages) {
    for (const href of attributes(html, 'href')) {
      if (/^(https:|data:)/.test(href)) continue
      const { pathname, hash } = new URL(href, `http://gateway${address}`)
      const page = pages.get(pathname)
      if (page === undefined) others.add(pathname)
      else if (hash !== '' && !attributes(page, 'id').includes(decodeURIComponent(hash.slice(1))))
        broken.push(`${address}: ${href}`)
    }
  }
  expect(broken).toEqual([])
  expect([...others].sort()).toEqual(['/console', '/docs', '/docs/guides.css'])
})

test('no id is there twice on a page', () => {
  const twice = [...pages].flatMap(([address, html]) => {
    const ids = attributes(html, 'id')
    return ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `${address}#${id}`)
  })
  expect(twice).toEqual([])
})

describe('a page', () => {
  test('has one script, in a file of its own, and nothing from another address', () => {
    for (const html of pages.values()) {
      const tags = new Set([...html.matchAll(/<([a-z]+)[\s>]/g)].map(([, tag = '']) => tag))
      for (const tag of ['style', 'img', 'iframe', 'form', 'object']) expect(tags).not.toContain(tag)
      expect(html).not.toMatch(/\s(?:style|on[a-z]+)=/)
      const sources = [...html.matchAll(/<script([^>]*)>/g)].map(([, rest]) => rest)
      expect(sources).toEqual([
        expect.stringMatching(
          /^ type="module" src="guides\.js\?v=[0-9a-f]{16}" data-index="guides\.json\?v=[0-9a-f]{16}"$/,
        ),
      ])
      expect([...html.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
        'data:,',
        expect.stringMatching(/^guides\.css\?v=[0-9a-f]{16}$/),
      ])
    }
  })

  test('may do nothing else, says the browser policy', async () => {
    const { headers } = await fetch(`${gateway.url}/docs/errors`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  test('is sent compressed, and not again while it is the same', async () => {
    const get = (path: string, headers: Record<string, string>) =>
      fetch(gateway.url + path, { headers, decompress: false })
    for (const path of ['/docs/errors', '/docs/guides.css', '/docs/guides.js', '/docs/guides.json']) {
      const packed = await get(path, { 'accept-encoding': 'gzip' })
      const plain = await get(path, { 'accept-encoding': 'identity' })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(await plain.text())
      const again = await get(path, { 'if-none-match': plain.headers.get('etag') ?? '' })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  })

  test('names its style sheet by its content, which is then kept for a year', async () => {
    const [address = ''] = attributes(pages.get('/docs/errors') ?? '', 'href').filter(href => href.includes('.css'))
    const named = await fetch(new URL(address, `${gateway.url}/docs/errors`))
    expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    // The other one is of another version of the gateway.
    for (const path of ['/docs/guides.css', '/docs/guides.css?v=0123456789abcdef'])
      expect((await fetch(gateway.url + path)).headers.get('cache-control')).toBe('public, no-cache')
  })

  test('with a slash at its end leads to the one without, where its relative addresses are right', async () => {
    const slashed = await fetch(`${gateway.url}/docs/errors/`, { redirect: 'manual' })
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../errors'])
  })

  test('is found where the file of the repository is', async () => {
    const answers = ['/docs/guides/errors', '/docs/guides/errors/'].map(path =>
      fetch(gateway.url + path, { redirect: 'manual' }),
    )
    const leads = (await Promise.all(answers)).map(({ status, url, headers }) => [
      status,
      new URL(headers.get('location') ?? '', url).pathname,
    ])
    expect(leads).toEqual([
      [308, '/docs/errors'],
      [308, '/docs/errors'],
    ])
  })

  test('counts for the limit of the reference, which needs no key', async () => {
    const statuses: number[] = []
    for (let asked = 0; asked < 301; asked += 1) statuses.push((await fetch(`${gateway.url}/docs/faraway`)).status)
    expect(statuses.at(-1)).toBe(404)
    const own = await startTestGateway()
    try {
      for (let asked = 0; asked < 300; asked += 1) await fetch(`${own.url}/docs/guides`)
      expect((await fetch(`${own.url}/docs/errors`)).status).toBe(429)
    } finally {
      await own.stop()
    }
  })
})

describe('a document', () => {
  const guide = (markdown: string, path = 'documents/a.md') => ({ name: 'a', path, markdown })
  const render = (markdown: string) => {
    return renderGuide(guide(markdown), [guide(markdown), { name: 'b', path: 'documents/b.md' }]).body
  }

  test('that has HTML shows it as text', () => {
    const html = render('# A\n\n<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b')
    expect(html).not.toMatch(/<(script|img)/)
    expect(html).toContain('&lt;script&gt;')
  })

  test('that links to another one leads to its page; where the executable has no page, the words stay', () => {
    const html = render('# A\n\n[one](b.md#part) [two](../src/app.ts) [three](#a) [four](https://example.com/x)')
    expect(attributes(html, 'href')).toEqual(['#a', 'b#part', '#a', 'https://example.com/x'])
    expect(html).toContain(' two ')
  })

  test('that shows a picture has its words instead', () => {
    expect(render('# A\n\n![The list of messages](console/messages.png)')).toContain('<p>The list of messages</p>')
  })

  test('that has a code as a heading can be linked to as the code is written', () => {
    const html = render('# A\n\n### NOT_FOUND\n\n### With `code` & more')
    expect(attributes(html, 'id')).toEqual(['a', 'not_found', 'NOT_FOUND', 'with-code--more'])
  })

  test('that tells the same in several languages has them as one group; others stay apart', () => {
    const block = (language: string) => `\`\`\`${language}\ncall()\n\`\`\`\n\n`
    const groups = (markdown: string) => render(markdown).split('<div class="languages">').length - 1
    expect(groups(`# A\n\n${block('sh')}${block('ts')}and\n\n${block('php')}`)).toBe(1)
    expect(groups(`# A\n\n${block('sh')}${block('sh')}`)).toBe(0)
    expect(groups(`# A\n\n${block('sh')}${block('json')}`)).toBe(0)
  })

  test('marks the address of the gateway where callers use it, and not in what a proxy reads', () => {
    const marks = (language: string) =>
      render(`# A\n\n\`\`\`${language}\n'http://127.0.0.1:8080/a';\n\`\`\``).includes('<span class="gateway">')
    expect([marks('sh'), marks('php'), marks('nginx'), marks('json')]).toEqual([true, true, false, false])
  })
})

describe('the search', () => {
  const indexBytesMax = 80_000

  test('finds every part of every guide, error code, setting and command, in a small file', async () => {
    const answer = await fetch(`${gateway.url}/docs/guides.json`, {
      headers: { 'accept-encoding': 'gzip' },
      decompress: false,
    })
    const packed = await answer.arrayBuffer()
    expect(packed.byteLength).toBeLessThanOrEqual(indexBytesMax)
    const findings = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed))) as [address: string, title: string][]
    const titles = findings.map(([, title]) => title).join('\n')
    for (const name of settingNames) expect(titles).toContain(name)
    for (const code of Object.keys(PARTNER_ERRORS)) expect(titles).toContain(code)
    for (const command of ['channel connect', 'key create', 'doctor']) expect(titles).toContain(command)
    const broken = findings.filter(([address]) => {
      const [name = '', anchor] = address.split('#')
      const page = pages.get(`/docs/${name}`)
      return !page || (anchor !== undefined && !attributes(page, 'id').includes(anchor))
    })
    expect(broken).toEqual([])
  })
})

describe('an address that does not exist', () => {
  const ask = async (path: string, accept: string) => {
    const answer = await fetch(gateway.url + path, { headers: { accept } })
    return [answer.status, answer.headers.get('content-type'), await answer.text()] as const
  }
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

  test('answers a browser with a page that leads on', async () => {
    for (const path of ['/docs/nothing', '/nothing/at/all']) {
      const [status, type, html] = await ask(path, browser)
      expect([status, type]).toEqual([404, 'text/html; charset=utf-8'])
      expect(attributes(html, 'href')).toEqual(
        expect.arrayContaining(['/docs/guides', '/docs/cookbook', '/docs/../docs']),
      )
      expect(html).not.toContain('BASE')
      expect(attributes(html, 'href').filter(href => href.includes('//'))).toEqual([])
    }
  })

  test('answers a program as before, and whoever asks where programs call', async () => {
    const [status, type, text] = await ask('/docs/nothing', '*/*')
    expect([status, type]).toEqual([404, 'application/json; charset=utf-8'])
    expect(text).toContain('"NOT_FOUND"')
    for (const path of ['/api/v1/nothing', '/api/v1/public/nothing', '/callbacks']) {
      const [, type] = await ask(path, browser)
      expect([path, type]).toEqual([path, 'application/json; charset=utf-8'])
    }
  })
})
