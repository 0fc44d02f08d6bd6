import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { Deployment, expectRefusal, firstLine } from './waypost.ts'

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

const anyPort = { PORT: '0' }
const mode = (path: string) => statSync(path).mode & 0o777

test('with --json it answers with one document once it serves, logs the link that makes the first user, and all its files are for their owner alone', async () => {
  const child = deployment.spawn(['serve', '--json'], { env: anyPort })
  const printed = JSON.parse(await firstLine(child.stdout)) as Record<string, string>
  expect(printed).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dataDir: deployment.dataDir,
    // There is no user yet.
    setupUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/set-up#[0-9A-Za-z]{43}$/),
  })
  expect((await fetch(`${printed.url}/readyz`)).status).toBe(200)
  const files = readdirSync(deployment.dataDir)
  expect(files).toEqual(expect.arrayContaining(['secret.key', 'waypost.db', 'waypost.db-wal', 'waypost.db.lock']))
  expect(mode(deployment.dataDir)).toBe(0o700)
  for (const file of files) expect([file, mode(`${deployment.dataDir}/${file}`)]).toEqual([file, 0o600])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  // For the operator of a service, who sees no terminal.
  const warnings = (await child.stderr.text()).split('\n').filter(line => line.includes('nobody can sign in yet'))
  expect(warnings.map(line => JSON.parse(line))).toMatchObject([{ level: 'warn', setupUrl: printed.setupUrl }])
})

test('below a path the first start gives a link of its own address, and says in the log why', async () => {
  const publicUrl = 'https://gateway.example.com/waypost'
  const child = deployment.spawn(['serve', '--json'], {
    env: { ...anyPort, PUBLIC_URL: publicUrl, LOG_FORMAT: 'json' },
  })
  const { url, setupUrl } = JSON.parse(await firstLine(child.stdout)) as Record<string, string>
  expect(setupUrl).toStartWith(`${url}/console/set-up#`)
  child.kill('SIGTERM')
  const lines = (await child.stderr.text()).trim().split('\n')
  const told = lines.map(line => JSON.parse(line)).filter(entry => entry.publicUrl !== undefined)
  expect(told).toMatchObject([{ level: 'warn', publicUrl, msg: expect.stringContaining('needs the root') }])
  expect(await child.exited).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)('a stop by %s says so in the log', async signal => {
  const child = deployment.spawn(['serve', '--json'], { env: { ...anyPort, LOG_FORMAT: 'json' } })
  await firstLine(child.stdout)
  child.kill(signal)
  const lines = (await child.stderr.text()).trim().split('\n')
  const told = lines.map(line => JSON.parse(line)).filter(entry => entry.signal !== undefined)
  expect(told).toMatchObject([{ level: 'info', signal, msg: 'the gateway is stopping' }])
  expect(await child.exited).toBe(0)
})

test.each(['no-such-host.invalid', '999.1.1.1', '192.0.2.1'])('a HOST that is none of this machine: %s', async host => {
  const refused = await deployment.run(['serve'], { env: { ...anyPort, HOST: host, LOG_LEVEL: 'silent' } })
  expectRefusal(refused, 1, `HOST is ${host}, which is no address of this machine`)
})

test('a HOST in brackets, as in a URL', async () => {
  const child = deployment.spawn(['serve', '--json'], { env: { ...anyPort, HOST: '[127.0.0.1]' } })
  expect(JSON.parse(await firstLine(child.stdout))).toMatchObject({ url: expect.stringContaining('//127.0.0.1:') })
  child.kill('SIGTERM')
  await child.exited
})

test('a port that is taken is named, with what to do', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const env = { PORT: String(other.port), LOG_LEVEL: 'silent' }
  expectRefusal(await deployment.run(['serve'], { env }), 1, `Port ${other.port} of 127.0.0.1 is in use`)
  expect(existsSync(deployment.dataDir)).toBe(false)
  await other.stop()
})

test('a port is shared with nobody, not even with one who would share it: each would get half of the callers', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response() })
  const env = { PORT: String(other.port), LOG_LEVEL: 'silent' }
  expectRefusal(await deployment.run(['serve'], { env }), 1, `Port ${other.port} of 127.0.0.1 is in use`)
  await other.stop()
})

test('a data folder that is a file is named, with the setting', async () => {
  const file = deployment.path('file')
  writeFileSync(file, '')
  expectRefusal(await deployment.run(['serve'], { env: { DATA_DIR: file } }), 1, 'or set DATA_DIR')
})

test('for the journal, why a start failed begins with its priority, on each line', async () => {
  const env = { DATA_DIR: `${deployment.path('a')}`, LOG_FORMAT: 'journald', PORT: 'high', SEND_QUEUE_MAX: 'many' }
  const failed = async (args: string[], more: object = {}) =>
    (await deployment.run(args, { env: { ...env, ...more } })).stderr.trimEnd().split('\n')
  const settings = await failed(['serve'])
  expect(settings.length).toBeGreaterThan(1)
  expect(settings.join('\n')).toContain('PORT must be')
  const file = deployment.path('file')
  writeFileSync(file, '')
  const folder = await failed(['serve'], { PORT: '0', SEND_QUEUE_MAX: '', DATA_DIR: file })
  const option = await failed(['serve', '--nonsense'])
  for (const line of [...settings, ...folder, ...option]) expect(line).toStartWith('<3>')
  // For people there is none: they read it as it is.
  expect((await failed(['serve'], { LOG_FORMAT: 'json' })).join('')).not.toContain('<3>')
  expect((await failed(['doctor'])).join('')).not.toContain('<3>')
})
