import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningSandbox, SANDBOX, startSandbox } from '../../src/sandbox/server.ts'
import { connected, Deployment, expectRefusal } from './waypost.ts'

const deployment = new Deployment()
let sandbox: RunningSandbox
let owner: Awaited<ReturnType<typeof connected>>

beforeAll(async () => {
  sandbox = await startSandbox()
  owner = await connected(deployment)
})
afterAll(async () => {
  await sandbox.stop()
  deployment.remove()
})

interface Listed {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly status: string
  readonly variables: string[]
}

const env = () => ({ CHANNEL_API_URL: sandbox.url })
const inWorkspace = (...args: string[]) => ['template', ...args, '--workspace', owner.workspaceId]
const list = () => deployment.json<Listed[]>(inWorkspace('list'))

test('sync fetches every page, and a second one changes nothing', async () => {
  const first = await deployment.json<{ synced: number; approved: number }>(inWorkspace('sync'), { env: env() })
  const listed = await list()
  expect(first.synced).toBe(listed.length)
  expect(first.approved).toBe(listed.filter(({ status }) => status === 'APPROVED').length)
  expect(first.approved).toBeGreaterThan(0)
  expect(listed).toContainEqual(
    expect.objectContaining({
      id: expect.stringMatching(/^tpl_/),
      channelId: owner.channelId,
      name: 'order_confirmation',
      language: 'de',
      variables: ['1', '2'],
    }),
  )
  const again = inWorkspace('sync', '--channel', owner.channelId)
  expect(await deployment.json(again, { env: env() })).toEqual(first)
  expect(await list()).toEqual(listed)
})

test('sync says how many records it could not read, and keeps what they may stand for', async () => {
  const before = await list()
  const drifted = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ data: [{ name: 'drifted' }] }),
  })
  const counts = await deployment.json(inWorkspace('sync'), { env: { CHANNEL_API_URL: drifted.url.origin } })
  await drifted.stop(true)
  expect(counts).toEqual({ synced: 0, approved: 0, skipped: 1 })
  expect(await list()).toEqual(before)
})

test('a sync that fails leaves the templates as they were, and says whose failed', async () => {
  await deployment.json(inWorkspace('sync'), { env: env() })
  const before = await list()
  const ended = await deployment.run([...inWorkspace('sync'), '--json'], {
    env: { CHANNEL_API_URL: 'http://127.0.0.1:1' },
  })
  expectRefusal(ended, 1, owner.channelId)
  expect(ended.stderr).not.toContain(SANDBOX.accessToken)
  expect(await list()).toEqual(before)
})

test("show fills a template with its examples and gives the send's body; several languages need a choice", async () => {
  await deployment.json(inWorkspace('sync'), { env: env() })
  const show = inWorkspace('show', 'order_confirmation')
  const [german, text, ambiguous, missing, unknown, elsewhere] = await Promise.all([
    deployment.json<{ preview: string; send: { templateVariables: object } }>([...show, '--language', 'DE']),
    deployment.run([...show, '--language', 'en-us']),
    deployment.run([...show, '--json']),
    deployment.run([...show, '--language', 'fr', '--json']),
    deployment.run([...inWorkspace('show', 'no_such_template'), '--json']),
    deployment.run([...show, '--channel', 'chan_x', '--json']),
  ])
  expect(german).toMatchObject({ name: 'order_confirmation', language: 'de', variables: ['1', '2'] })
  expect(german.send).toMatchObject({ type: 'template', templateName: 'order_confirmation', templateLanguage: 'de' })
  expect(Object.keys(german.send.templateVariables)).toEqual(['1', '2'])
  expect(german.preview).not.toContain('{{')
  expect(text).toMatchObject({ code: 0, stderr: '' })
  expect(text.stdout).toContain('"templateLanguage": "en_US"')
  const shared = await deployment.run(inWorkspace('show', 'season_opening'))
  expect(shared.stdout).toContain('Our Summer Sale is on!')
  expect(shared.stdout).toContain('Shop now through the end of August')
  expect(shared.stdout).toContain('One value for the key 1 fills header, body.')
  expect(shared.stdout).toContain('"bodyParameters": {\n    "1": "the end of August"\n  }')
  const keyless = inWorkspace('show', 'pickup_point')
  expect(await deployment.json(keyless)).toMatchObject({
    sendableWith: 'templateComponents',
    needsComponents: ['its header is of the kind location'],
    variables: [],
    send: { templateComponents: [{ type: 'header', parameters: [{ type: 'location' }] }, { type: 'body' }] },
  })
  const said = await deployment.run(keyless)
  expect(said.stdout).toContain('Only templateComponents can fill it: its header is of the kind location.')
  expect(said.stdout).toContain('"templateComponents": [')
  expect(said.stdout).not.toContain('templateVariables')
  expectRefusal(ambiguous, 1, 'de, en_US')
  expectRefusal(missing, 1, 'only in de, en_US')
  expectRefusal(unknown, 1, 'no_such_template')
  expectRefusal(elsewhere, 1, 'No channel has this id: chan_x\n')
})
