import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { Gateway } from '../../../src/serve.ts'
import { type Logger, silentLogger } from '../../../src/telemetry/log.ts'
import { eventually } from '../../eventually.ts'
import { testFolder } from '../../folder.ts'
import { freePort } from '../../freePort.ts'
import { startBareGateway, startTestGateway, type TestGateway } from '../../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../postgres.ts'
import { needs, program, run } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { authority, type Configure, caddy, complaints, nginx, proxyBlocks } from './proxies.ts'

setDefaultTimeout(5 * hungAfterMs)

const within = testFolder('balancer')

const [nginxServer = ''] = proxyBlocks('docs/scale.md', 'nginx')
const [caddySite = ''] = proxyBlocks('docs/scale.md', 'caddyfile')

test('the block of nginx says all that the one for a single gateway says, but where requests go', () => {
  const linesOf = (text: string) =>
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '' && !line.startsWith('#'))
  const [single = ''] = proxyBlocks('docs/deploy.md', 'nginx')
  const lines = linesOf(nginxServer)
  const missing = linesOf(single).filter(line => !lines.includes(line))
  expect(missing).toEqual(['proxy_pass http://127.0.0.1:8080;', 'proxy_next_upstream off;'])
})

/** A log that keeps which requests were answered. */
function requestLog() {
  const answered: string[] = []
  const debug = (fields: { path?: string }, message: string) => {
    if (message === 'request answered' && fields.path?.includes('/send')) answered.push(fields.path)
  }
  const log: Logger = Object.assign(Object.create(silentLogger), { debug, isLevelEnabled: () => true })
  return { answered, log }
}

/** Answers what is read, and ends every connection on which a send begins. */
function startBreaker() {
  return Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        if (bytes.toString().startsWith('GET ')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        socket.end()
      },
    },
  })
}

const available = [
  ['PostgreSQL', hasPostgres],
  ['curl', Bun.which('curl') !== null],
] as const
const balancers: readonly (readonly [name: string, program: string, configure: Configure])[] = [
  ['nginx', 'nginx', nginx(nginxServer)],
  ['Caddy', 'caddy', caddy(caddySite)],
]

const scene = needs('two gateways on one database', ...available)
describe.skipIf(scene.isMissing)(scene.name, () => {
  const [ofFirst, ofSecond] = [requestLog(), requestLog()]
  let server: PostgresServer
  let databaseUrl: string
  let first: TestGateway
  let second: Gateway

  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    databaseUrl = await server.createDatabase()
    const env = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'the same for all of the instances',
      TRUST_PROXY: '127.0.0.1',
      PUBLIC_IP_RATE_LIMIT: '1000',
    }
    first = await startTestGateway({ env, log: ofFirst.log })
    const others = { DATA_DIR: within('second'), CHANNEL_API_URL: first.upstream.url }
    second = await startBareGateway({ ...env, ...others }, { log: ofSecond.log })
  })
  afterAll(async () => {
    await second.stop()
    await first.stop()
    await server.remove()
  })

  const hosts = () => [new URL(first.url).host, new URL(second.url).host] as const

  describe.each(balancers)('%s, as docs/scale.md has it', (name, programName, configure) => {
    const { isMissing, name: title } = needs('is started', program(programName))
    describe.skipIf(isMissing)(title, () => {
      /** Runs the proxy before two addresses. @param send one send with a key of its own; returns its status */
      async function before(
        instances: readonly [string, string],
        work: (send: () => Promise<number>, url: string) => Promise<void>,
        isChecked = false,
      ): Promise<void> {
        const place = mkdtempSync(within(`${programName}-`))
        mkdirSync(join(place, 'home'))
        const port = freePort()
        const url = `https://localhost:${port}`
        const home = join(place, 'home')
        const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
        const addresses = { '10.0.0.11:8080': instances[0], '10.0.0.12:8080': instances[1] }
        const commands = configure(place, port, addresses)
        if (isChecked) {
          const check = await run(commands.check, { env })
          expect([check.code, complaints(check.stderr)]).toEqual([0, []])
        }
        const ignored = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const
        const proxy = Bun.spawn(commands.run, { env: { ...process.env, ...env }, ...ignored })
        const tls = { ca: Bun.file(authority) }
        const send = async () => {
          const answer = await fetch(`${url}/api/v1/public/messages/send`, {
            method: 'POST',
            headers: { ...first.key, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
            body: JSON.stringify({ type: 'text', phone: '+15550100200', content: 'Hello.' }),
            tls,
          })
          await answer.body?.cancel()
          return answer.status
        }
        try {
          await eventually(async () => expect((await fetch(`${url}/livez`, { tls })).status).toBe(200))
          await work(send, url)
        } finally {
          proxy.kill('SIGTERM')
          await proxy.exited
        }
      }

      // Caddy's own check asks the gateways for their health.
      test('its own check finds nothing wrong', () => before(hosts(), async () => {}, true))

      test('both take sends, and see the caller that it sees', async () => {
        await before(hosts(), async (send, url) => {
          for (const { answered } of [ofFirst, ofSecond]) answered.length = 0
          const statuses = await Promise.all(Array.from({ length: 20 }, send))
          expect(statuses).toEqual(statuses.map(() => 201))
          expect([ofFirst.answered.length, ofSecond.answered.length]).not.toContain(0)

          // All of 127.0.0.0/8 is this machine, so a caller can have another address.
          const caller = name === 'nginx' ? '127.0.0.2' : '127.0.0.3'
          const options = ['-s', '-o', '/dev/null', '--interface', caller, '--cacert', authority]
          const claimed = ['-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'Forwarded: for=203.0.113.9']
          const path = '/api/v1/public/templates'
          expect((await run(['curl', ...options, ...claimed, url + path])).code).toBe(0)
          const client = new SQL({ url: databaseUrl, max: 1 })
          const counted = (await client`SELECT subject FROM rate_windows`) as { subject: string }[]
          await client.close()
          const subjects = counted.map(({ subject }) => subject).join(' ')
          expect(subjects).toContain(caller)
          expect(subjects).not.toContain('203.0.113.9')
        })
      })

      test('one is gone: the other takes all of them', async () => {
        await before([hosts()[0], `127.0.0.1:${freePort()}`], async send => {
          // nginx notices with the first send, which the other takes; Caddy has to ask first.
          if (name === 'Caddy') await eventually(async () => expect([await send(), await send()]).toEqual([201, 201]))
          for (let at = 0; at < 6; at += 1) expect(await send()).toBe(201)
        })
      })

      test('one ends in the middle of a send: that one is not given to the other, and later ones are', async () => {
        using breaker = startBreaker()
        await before([hosts()[0], `127.0.0.1:${breaker.port}`], async send => {
          const stored = (await first.messages()).length
          const statuses: number[] = []
          // By turns: the second one meets it.
          while (statuses.length < 10 && !statuses.includes(502)) statuses.push(await send())
          for (let at = 0; at < 4; at += 1) expect(await send()).toBe(201)
          expect(statuses.filter(status => status !== 201)).toEqual([502])
          expect((await first.messages()).length - stored).toBe(statuses.length - 1 + 4)
        })
      })
    })
  })
})
