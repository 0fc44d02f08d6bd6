import { afterEach, expect, test } from 'bun:test'
import { Deployment, firstLine } from '../../cli/waypost.ts'
import { freshFixture } from '../../fixture.ts'
import { needs } from '../../programs.ts'
import { notifyNeeds, openNotifySocket } from './notifySocket.ts'

const deployment = freshFixture(() => new Deployment())
/** Whatever becomes of a test, its processes end with it. */
const children: { kill(signal: 'SIGKILL'): void }[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function serve(env: Record<string, string> = {}) {
  const child = deployment.spawn(['serve', '--json'], { env: { PORT: '0', LOG_FORMAT: 'json', ...env } })
  children.push(child)
  const { url } = JSON.parse(await firstLine(child.stdout)) as { url: string }
  return { child, url, port: new URL(url).port }
}

const stop = async ({ child }: Awaited<ReturnType<typeof serve>>) => {
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}

const notify = needs('systemd is told that the gateway is ready, that it lives, and that it stops', ...notifyNeeds)
test.skipIf(notify.isMissing)(notify.name, async () => {
  const systemd = await openNotifySocket(deployment.path('notify.sock'))
  children.push({ kill: systemd.close })
  const gateway = await serve({ ...systemd.env, WATCHDOG_USEC: '200000' })
  expect(await systemd.next()).toBe('READY=1')
  expect(await systemd.next()).toBe(`STATUS=Ready at ${gateway.url}`)
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  for (let told = 0; told < 3; told += 1) expect(await systemd.next()).toBe('WATCHDOG=1')
  const stopped = stop(gateway)
  let next = await systemd.next()
  while (next === 'WATCHDOG=1') next = await systemd.next()
  expect(next).toBe('STOPPING=1')
  expect(await systemd.next()).toStartWith('STATUS=Stopping')
  await stopped
  expect(await gateway.child.stderr.text()).not.toContain('systemd')
})

test('a gateway that cannot tell systemd serves all the same, and warns', async () => {
  const gateway = await serve({ NOTIFY_SOCKET: deployment.path('nobody.sock') })
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
  await stop(gateway)
  expect(await gateway.child.stderr.text()).toContain('systemd could not be notified that the gateway is ready')
})

test('health ends with 0 beside a gateway that is ready', async () => {
  const gateway = await serve()
  const url = `http://127.0.0.1:${gateway.port}/readyz`
  const data = await deployment.json(['health'], { env: { PORT: gateway.port } })
  expect(data).toMatchObject({ ok: true, url, answer: { status: 'ready' } })
  // In a container it listens everywhere.
  const inContainer = await deployment.run(['health'], { env: { PORT: gateway.port, HOST: '0.0.0.0' } })
  expect(inContainer).toMatchObject({
    code: 0,
    stdout: `The gateway at http://127.0.0.1:${gateway.port} is ready.\n`,
    stderr: '',
  })
  await stop(gateway)
})

test('health ends with 1 where no gateway answers, and says where it asked', async () => {
  const free = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = free
  free.stop(true)
  const { code, stdout } = await deployment.run(['health'], { env: { PORT: String(port) } })
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(`Nothing listens at http://127.0.0.1:${port}`),
  })
})

test('health ends with 1 beside a gateway that is not ready, and passes on what it says', async () => {
  const answer = { error: 'SERVICE_UNAVAILABLE', message: 'Not ready: disk.', details: { parts: { disk: 'full' } } }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(answer, { status: 503 }) })
  const ended = await deployment.run(['health', '--json'], { env: { PORT: String(server.port) } })
  await server.stop(true)
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, answer })
})
