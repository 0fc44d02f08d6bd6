import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { verifyWebhook } from '../../packages/client/src/index.ts'
import { SANDBOX } from '../../src/sandbox/state/defaults.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { Deployment, firstLine } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

interface Details {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly control: string
  readonly workspaceId: string
  readonly envFile: string
}

async function start(env: Record<string, string> = {}) {
  const child = deployment.spawn(['sandbox', '--gateway', '--json', '--port', '0', '--gateway-port', '0'], { env })
  const details = JSON.parse(await firstLine(child.stdout)) as Details
  const headers = { apiKey: details.apiKey, apiSecret: details.apiSecret, 'content-type': 'application/json' }
  const send = (body: object) =>
    fetch(`${details.url}/api/v1/public/messages/send`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { child, details, headers, send }
}

test('gateway and sandbox are ready at the first line: no limit, no pause between messages to one number', async () => {
  const { child, send } = await start()
  // More than the limit per address, and more than the burst that pacing lets through to one recipient.
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, at) => send({ type: 'text', phone: '+15550150100', content: `Message ${at}` })),
  )
  const statuses = await Promise.all(
    answers.map(async answer => ((await answer.json()) as { data: { status: string } }).data.status),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(120).fill(201))
  expect(statuses).not.toContain('QUEUED')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a reset clears both: the messages and keys are gone; address, key and callbacks stay', async () => {
  const { child, details, headers, send } = await start()
  const message = { type: 'text', phone: '+15550150100', content: 'One', idempotencyKey: 'k' }
  const first = (await (await send(message)).json()) as { data: { id: string } }
  expect((await send({ ...message, content: 'Two' })).status).toBe(409)

  // Together: each of them ends with a gateway that works.
  const resets = await Promise.all([1, 2].map(() => fetch(`${details.control}/reset`, { method: 'POST' })))
  expect(resets.map(({ status }) => status)).toEqual([200, 200])
  const status = (id: string) => fetch(`${details.url}/api/v1/public/messages/${id}`, { headers })
  expect((await status(first.data.id)).status).toBe(404)
  expect(await (await fetch(`${details.control}/requests`)).json()).toMatchObject({ requests: [] })

  const again = (await (await send({ ...message, content: 'Two' })).json()) as { data: { id: string; status: string } }
  expect(again.data.status).toBe('SENT')
  for (let shown = again.data.status; shown !== 'READ'; await Bun.sleep(50)) {
    shown = ((await (await status(again.data.id)).json()) as { data: { status: string } }).data.status
  }
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('with GRAPH_API=on it answers clients of the platform, and the rest of the environment counts for nothing', async () => {
  const { child, details } = await start({ GRAPH_API: 'on', PUBLIC_IP_RATE_LIMIT: '1' })
  const make = ['--env-file', details.envFile, 'key', 'create', '--workspace', details.workspaceId]
  // A DATA_DIR of the environment would come before that of the file.
  const { graphToken } = await deployment.json<{ graphToken: string }>([...make, '--scopes', 'graph,messages:send'], {
    env: { DATA_DIR: '' },
  })
  const [line] = SANDBOX.lines
  const sent = await fetch(`${details.url}/graph/v23.0/${line.upstreamPhoneId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${graphToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: '15550150100', type: 'text', text: { body: 'Hi' } }),
  })
  expect([sent.status, await sent.json()]).toEqual([
    200,
    expect.objectContaining({ messages: [{ id: expect.stringMatching(/^wamid\./) }] }),
  ])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a command that is given its settings adds a webhook on this machine, also after a reset', async () => {
  const { child, details, send } = await start()
  const arrived: { body: string; headers: Headers }[] = []
  let tellArrived = () => {}
  await using receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      arrived.push({ body: await request.text(), headers: request.headers })
      tellArrived()
      return new Response(null, { status: 204 })
    },
  })
  const run = ['--env-file', details.envFile, 'webhook', 'add', '--workspace', details.workspaceId, '--json']
  // A DATA_DIR of the environment would come before that of the file.
  const env = { DATA_DIR: '' }
  const add = () => deployment.run([...run, '--events', 'message.sent', '--url', `${receiver.url}hook`], { env })
  expect((await add()).code).toBe(0)

  // What a former run of the database had is gone; the settings are those of the new one.
  await fetch(`${details.control}/reset`, { method: 'POST' })
  const added = JSON.parse((await add()).stdout) as { id: string; secret: string }
  const arrival = new Promise<void>(resolve => {
    tellArrived = resolve
  })
  const sent = (await (await send({ type: 'text', phone: '+15550150100', content: 'Hi' })).json()) as {
    data: { id: string }
  }
  await arrival
  const [first] = arrived
  const event = await verifyWebhook(first?.body ?? '', first?.headers ?? new Headers(), added.secret)
  expect(event).toMatchObject({ type: 'message.sent', data: { message: { id: sent.data.id } } })
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(arrived).toHaveLength(1)
})

test('it leaves no folder behind', async () => {
  const child = deployment.spawn(['sandbox', '--gateway', '--json', '--port', '0', '--gateway-port', '0'], {
    env: { TMPDIR: deployment.path('.') },
  })
  await firstLine(child.stdout)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  const left = Array.from(new Bun.Glob('waypost-testing-*').scanSync({ cwd: deployment.folder, onlyFiles: false }))
  expect(left).toEqual([])
})

test('the example of docs/testing.md passes as it is printed', async () => {
  const root = resolve(import.meta.dir, '../..')
  const page = await Bun.file(join(root, 'docs/testing.md')).text()
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
  expect(example).toContain("test('")
  const folder = deployment.path('example')
  mkdirSync(folder)
  writeFileSync(join(folder, 'messages.test.ts'), example)
  // `waypost` on the PATH is this program.
  const command = join(folder, 'waypost')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'src/main.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
  const run = Bun.spawn([process.execPath, 'test', '--timeout', String(hungAfterMs)], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin`, NO_COLOR: '1' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, code] = await Promise.all([run.stderr.text(), run.exited])
  expect(output).toContain('2 pass')
  expect(code).toBe(0)
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
