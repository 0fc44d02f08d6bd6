import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { testFolder } from '../../folder.ts'
import { freePort } from '../../freePort.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { needs, program, run } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { callbackOf, postCallback, signatureOf } from '../../upstream.ts'
import { authority, type Configure, caddy, complaints, nginx, proxyBlocks } from './proxies.ts'

setDefaultTimeout(5 * hungAfterMs)

/** Requests of one address; the test makes more of them. */
const addressLimit = 5

const within = testFolder('proxy')

const [nginxServer = '', nginxLocation = ''] = proxyBlocks('docs/deploy.md', 'nginx')
const [caddySite = '', caddyPath = ''] = proxyBlocks('docs/deploy.md', 'caddyfile')

interface Proxy {
  /** The path below which the gateway is served. */
  readonly path: string
  readonly configure: Configure
}

const belowPath = nginxServer.replace(/ {4}location \/ \{\n +proxy_pass http:\/\/127\.0\.0\.1:8080;\n/, nginxLocation)

const proxies: readonly (readonly [name: string, program: string, proxy: Proxy])[] = [
  ['nginx', 'nginx', { path: '', configure: nginx(nginxServer) }],
  ['nginx, below a path', 'nginx', { path: '/waypost', configure: nginx(belowPath) }],
  ['Caddy', 'caddy', { path: '', configure: caddy(caddySite) }],
  ['Caddy, below a path', 'caddy', { path: '/waypost', configure: caddy(caddyPath) }],
]

test('the documented block for a path changes the one for the root', () => {
  expect(belowPath).not.toBe(nginxServer)
  expect(belowPath).toContain('location /waypost/ {')
})

describe.each(proxies)('%s, as docs/deploy.md has it', (name, programName, { path, configure }) => {
  const { isMissing, name: title } = needs('is started', program(programName), program('curl'))
  describe.skipIf(isMissing)(title, () => {
    const port = freePort()
    const url = `https://localhost:${port}${path}`
    let gateway: TestGateway
    let proxy: Bun.Subprocess
    let check: Awaited<ReturnType<typeof run>>

    beforeAll(async () => {
      const place = within(name.replace(/\W+/g, '-'))
      const env = { HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place }
      mkdirSync(place)
      gateway = await startTestGateway({
        // It stands still: the window of the limit does not end between two requests.
        clock: new ManualClock(Date.now()),
        env: {
          TRUST_PROXY: '127.0.0.1',
          PUBLIC_URL: `https://localhost:${port}${path}`,
          PUBLIC_IP_RATE_LIMIT: String(addressLimit),
        },
      })
      const commands = configure(place, port, { '127.0.0.1:8080': new URL(gateway.url).host })
      check = await run(commands.check, { env })
      proxy = Bun.spawn(commands.run, {
        env: { ...process.env, ...env },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
      })
      await eventually(async () => expect((await ask('/livez')).status).toBe(200))
    })
    afterAll(async () => {
      proxy.kill('SIGTERM')
      await proxy.exited
      await gateway.stop()
    })

    const ask = (route: string, init: RequestInit = {}) =>
      fetch(url + route, { ...init, tls: { ca: Bun.file(authority) } })

    test('its own check finds nothing wrong', () => {
      expect([check.code, complaints(check.stderr)]).toEqual([0, []])
    })

    test('a send goes through, with its key, its idempotency key and its request id', async () => {
      const answer = await ask('/api/v1/public/messages/send', {
        method: 'POST',
        headers: {
          ...gateway.key,
          'content-type': 'application/json',
          'idempotency-key': 'once',
          'x-request-id': 'mine',
        },
        body: JSON.stringify({ type: 'text', phone: '+15550100200', content: 'Hello.' }),
      })
      const headers = [answer.headers.get('x-request-id'), answer.headers.get('strict-transport-security')]
      expect([answer.status, ...headers]).toEqual([201, 'mine', 'max-age=31536000'])
    })

    test('a callback goes through byte for byte: its signature fits', async () => {
      const bytes = JSON.stringify(callbackOf([], { id: 'ä 1' }))
      const address = `/callbacks/channel/${gateway.channelId}`
      const verification = `?hub.mode=subscribe&hub.challenge=11584&hub.verify_token=${gateway.verifyToken}`
      expect(await (await ask(address + verification)).text()).toBe('11584')
      const signed = {
        'content-type': 'application/json',
        'x-hub-signature-256': signatureOf(bytes, gateway.appSecret),
      }
      expect((await ask(address, { method: 'POST', headers: signed, body: bytes })).status).toBe(200)
      expect((await postCallback(gateway.url + address, {}, 'wrong')).status).toBe(401)
    })

    test('a callback as large as the upstream sends them is taken', async () => {
      const bytes = JSON.stringify({ ...callbackOf([]), filling: 'x'.repeat(3_000_000) })
      const signed = {
        'content-type': 'application/json',
        'x-hub-signature-256': signatureOf(bytes, gateway.appSecret),
      }
      const taken = await ask(`/callbacks/channel/${gateway.channelId}`, {
        method: 'POST',
        headers: signed,
        body: bytes,
      })
      expect(taken.status).toBe(200)
    })

    test('the limit counts the caller, whatever it claims to be; other callers have their own', async () => {
      // All of 127.0.0.0/8 is this machine, so a caller can have another address.
      const statuses = async (from: string, claimed: string) => {
        const found: string[] = []
        for (let asked = 0; asked <= addressLimit; asked += 1) {
          const options = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--interface', from, '--cacert', authority]
          const headers = ['-H', `X-Forwarded-For: ${claimed}.${asked}`, '-H', 'Forwarded: for=198.51.100.1']
          const { stdout } = await run(['curl', ...options, ...headers, `${url}/api/v1/public/templates`])
          found.push(stdout)
        }
        return found
      }
      const all = (status: string) => Array.from({ length: addressLimit }, () => status)
      expect(await statuses('127.0.0.2', '203.0.113')).toEqual([...all('401'), '429'])
      expect(await statuses('127.0.0.3', '203.0.113')).toEqual([...all('401'), '429'])
    })

    test('an error links to its explanation, and the link leads there through the proxy', async () => {
      const { headers } = await ask('/nowhere')
      const [, link = ''] = /^<([^>]*)>/.exec(headers.get('link') ?? '') ?? []
      expect(link).toBe(`${path}/docs/errors#NOT_FOUND`)
      const page = await fetch(new URL(link, url), { tls: { ca: Bun.file(authority) } })
      expect(await page.text()).toContain('id="NOT_FOUND"')
    })

    test('the pages find what they need', async () => {
      for (const page of ['/docs', '/docs/guides']) {
        const html = await (await ask(page)).text()
        // The viewer's documents are named in its configuration, which is JSON.
        const named = /\s(?:src|href)="([^"#]+)[^"]*"|"url":"([^"]+)"/g
        const addresses = [...html.matchAll(named)].map(([, linked, read]) => linked ?? read ?? '')
        const own = addresses.filter(address => !/^(data:|https:)/.test(address))
        expect(own.length).toBeGreaterThan(1)
        for (const address of new Set(own)) {
          const found = await fetch(new URL(address, url + page), { tls: { ca: Bun.file(authority) } })
          expect([page, address, found.status]).toEqual([page, address, 200])
        }
      }
    })
  })
})
