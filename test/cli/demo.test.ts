import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { hourMs } from '../../src/base/durations.ts'
import { openFile } from '../openFile.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { Deployment, firstLine, queueMessages, seeded } from './waypost.ts'

/* One test starts the demonstration twice, each with two messages that are read at a person's pace. */
setDefaultTimeout(2 * hungAfterMs)

/** The last line that the demonstration prints before it goes on serving. */
const lastWords = 'Ctrl+C'

async function runDemo(deployment: Deployment, env: Readonly<Record<string, string>> = {}) {
  const child = deployment.spawn(['demo', '--port', '0'], { env })
  const decoder = new TextDecoder()
  let transcript = ''
  for await (const chunk of child.stdout) {
    transcript += decoder.decode(chunk, { stream: true })
    if (transcript.includes(lastWords)) break
  }
  return { child, transcript }
}

/** Pastes a line into a shell, as its reader would. */
async function paste(line: string): Promise<unknown> {
  const shell = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await shell.stdout.text())
}

/** What an operator may have set for the real gateway in the meantime. */
const ofTheRealGateway = {
  SECRET_KEY: 'a key that the demo has not seen',
  PUBLIC_API_KEY_RATE_LIMIT: '5',
  PUBLIC_IP_RATE_LIMIT: '5',
}

test('the demo follows a text and a template to READ as its receiver of webhooks is told, and its curl lines work when pasted; so it does a second time, whatever key and limits the real gateway has by then, and its shop has had one day', async () => {
  const deployment = new Deployment()
  const workspaces: string[] = []
  for (const env of [{}, ofTheRealGateway]) {
    const { child, transcript } = await runDemo(deployment, env)
    expect(transcript.match(/\bREAD\b/g)).toHaveLength(2)
    expect(transcript.match(/\bDELIVERED\b/g)).toHaveLength(2)
    expect(transcript.match(/message\.(sent|delivered|read) came, signature right/g)).toHaveLength(6)
    expect(transcript).toContain('"templateVariables":{"1":"1001","2":"Ada"}')
    for (const name of ['PUBLIC_IP_RATE_LIMIT', 'PUBLIC_API_KEY_RATE_LIMIT']) expect(transcript).toContain(name)
    const [, url = '', token = ''] = /(http:\S+)\/console\/set-up#([0-9A-Za-z]{43})/.exec(transcript) ?? []
    // The link is good. The page itself would be built here, in each run.
    const headers = { 'content-type': 'application/json' }
    const check = { method: 'POST', headers, body: JSON.stringify({ token }) }
    expect((await fetch(`${url}/api/v1/auth/setup/check`, check)).status).toBe(200)
    workspaces.push(transcript.match(/ws_\w+/)?.[0] ?? '')

    const lines = transcript.split('\n').filter(line => line.startsWith('curl '))
    const [sent, listed] = await Promise.all(lines.map(paste))
    expect(sent).toMatchObject({ success: true, data: { status: 'SENT' } })
    expect(listed).toMatchObject({ success: true, data: { templates: expect.any(Array) } })

    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
  }
  expect(new Set(workspaces).size).toBe(1)

  const [workspaceId = ''] = workspaces
  const store = await openFile(join(deployment.dataDir, 'demo', 'waypost.db'))
  const scan = 100
  const { conversations } = await store.read.conversations({ workspaceId, limit: scan, scan })
  expect(conversations.map(({ contact, unread }) => [contact.name, unread])).toEqual([
    ...[
      ['Olivia Smith', 2],
      ['أمينة حسن', 1],
      ['Jonas Weber', 1],
    ],
    ...[
      ['Marie Dubois', 0],
      ['Noah Brown', 0],
      ['Sam Lee', 0],
    ],
  ])
  const { contacts } = await store.read.searchContacts({ workspaceId, noMarketing: true, limit: scan, scan })
  expect(contacts.map(({ name }) => name)).toEqual(['Sam Lee'])
  const messages = await store.read.messages({ workspaceId, limit: scan })
  expect(messages.filter(({ status }) => status === 'FAILED')).toHaveLength(1)
  // Of the day, once; each run sends two and one that is pasted.
  expect(messages).toHaveLength(24 + 2 * 3)
  const [last, first] = [messages[0]?.createdAt ?? 0, messages.at(-1)?.createdAt ?? 0]
  expect(Math.round((last - first) / hourMs)).toBe(9)
  await store.close()
  deployment.remove()
})

test('with --json it answers with one document; the real gateway’s data is neither sent nor touched', async () => {
  const real = new Deployment()
  const [waiting = ''] = await real.withStore(async store => queueMessages(store, await seeded(store), 1))
  const child = real.spawn(['demo', '--json'], { env: { PORT: '0', DATABASE_PATH: real.databasePath } })
  const printed = JSON.parse(await firstLine(child.stdout)) as {
    dataDir: string
    sandboxUrl: string
    messages: { id: string }[]
    receiverUrl: string
    events: unknown[]
  }
  expect(printed.dataDir).toBe(join(real.dataDir, 'demo'))
  expect(printed.messages).toMatchObject([{ status: 'READ' }, { status: 'READ' }])
  const told = printed.messages.flatMap(({ id: messageId }) =>
    ['message.sent', 'message.delivered', 'message.read'].map(type => ({ type, messageId })),
  )
  expect(printed.events).toEqual(told)
  // It takes nothing that its endpoint has not signed.
  expect((await fetch(printed.receiverUrl, { method: 'POST', body: '{}' })).status).toBe(400)
  expect((await fetch(`${printed.sandboxUrl}/sandbox`)).status).toBe(200)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
  expect(await real.json(['message', 'show', waiting])).toMatchObject({ status: 'QUEUED' })
  expect(await real.json(['workspace', 'list'])).toHaveLength(1)
  real.remove()
})

test('a proxy that the environment names sees nothing: gateway, sandbox and demo talk to each other directly', async () => {
  const seen: string[] = []
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push(`${request.method} ${request.url}`)
      return new Response('not from here', { status: 403 })
    },
  })
  const address = `http://127.0.0.1:${proxy.port}`
  const deployment = new Deployment()
  const { child, transcript } = await runDemo(deployment, { HTTP_PROXY: address, http_proxy: address })
  expect(seen).toEqual([])
  expect(transcript.match(/\bREAD\b/g)).toHaveLength(2)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
  await proxy.stop(true)
  deployment.remove()
})
