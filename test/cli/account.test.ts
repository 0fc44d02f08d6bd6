import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { ChannelSecret } from '../../src/base/credentials.ts'
import { Credentials } from '../../src/base/credentials.ts'
import { loadConfig } from '../../src/config/config.ts'
import { unlockVault } from '../../src/operations/secretKey.ts'
import { type RunningSandbox, SANDBOX, startSandbox } from '../../src/sandbox/server.ts'
import { Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
let sandbox: RunningSandbox
let env: Record<string, string>
beforeAll(async () => {
  sandbox = await startSandbox()
  env = { CHANNEL_API_URL: sandbox.url }
})
afterAll(async () => {
  await sandbox.stop()
  deployment.remove()
})

let workspaceId: string
beforeEach(async () => {
  workspaceId = (await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])).id
})

interface Connected extends Identified {
  readonly numbers: unknown
}

const connect = (accessToken: string, ...rest: string[]) => [
  ...['channel', 'connect', '--workspace', workspaceId, '--account-id', SANDBOX.accountId, '--also-here'],
  ...['--access-token', accessToken, '--app-secret', SANDBOX.appSecret, ...rest],
]
const channels = () => deployment.json<Identified[]>(['channel', 'list', '--workspace', workspaceId])
const [first, second] = SANDBOX.lines

/** What the channel's secret is when it is opened with the key. */
const secretOf = (channelId: string, secret: ChannelSecret) =>
  deployment.withStore(async store => {
    const credentials = new Credentials(await unlockVault(store, loadConfig({ DATA_DIR: deployment.dataDir })))
    const channel = await store.read.channel(channelId)
    return channel && credentials.open(channel, secret)
  })

test('connect lists the numbers of the account, and a person gets the commands that add them', async () => {
  const { numbers } = await deployment.json<Connected>(connect(SANDBOX.accessToken), { env })
  expect(numbers).toEqual([
    {
      ...first,
      ...{ name: SANDBOX.accountName, quality: 'GREEN', status: 'CONNECTED', messagingLimit: 'TIER_250' },
      ...{ lineId: null, added: false },
    },
    expect.objectContaining({ upstreamPhoneId: second.upstreamPhoneId, lineId: null }),
  ])
  const { stdout } = await deployment.run(connect(SANDBOX.accessToken), { env })
  expect(stdout).toMatch(/106540352242922 +\+15550783881/)
  for (const { upstreamPhoneId, number } of SANDBOX.lines)
    expect(stdout).toContain(`--upstream-phone-id ${upstreamPhoneId} --number ${number}`)
})

test('connect --add-lines makes each number a line, once', async () => {
  const added = await deployment.json<Connected>(connect(SANDBOX.accessToken, '--add-lines'), { env })
  const lines = await deployment.json<Identified[]>(['line', 'list', '--workspace', workspaceId])
  expect(lines).toMatchObject(SANDBOX.lines.map(line => ({ ...line, channelId: added.id, active: true })))
  expect(added.numbers).toMatchObject(lines.map(({ id }) => ({ lineId: id, added: true })))

  const again = await deployment.json<Connected>(connect(SANDBOX.accessToken, '--add-lines'), { env })
  expect(again.numbers).toMatchObject(lines.map(({ id }) => ({ lineId: id, added: false })))
  expect(await deployment.json(['line', 'list', '--workspace', workspaceId])).toEqual(lines)
})

test('with several lines added, a person is told to choose the default', async () => {
  const { stdout } = await deployment.run(connect(SANDBOX.accessToken, '--add-lines'), { env })
  expect(stdout).toMatch(/Next: waypost line default line_\w+, or another/)
  expect(stdout).not.toContain('line add')
})

test('a token or an account that the upstream refuses is not stored, and the token is not repeated', async () => {
  const wrongToken = await deployment.run(connect('wrong-access-token'), { env })
  expectRefusal(wrongToken, 1, `the account ${SANDBOX.accountId} cannot be read with this access token`)
  expect(wrongToken.stderr).toContain('--no-verify')
  expect(wrongToken.stderr).not.toContain('wrong-access-token')
  const elsewhere = connect(SANDBOX.accessToken).map(word => (word === SANDBOX.accountId ? '999' : word))
  expectRefusal(await deployment.run(elsewhere, { env }), 1, 'the account 999 cannot be read')
  const unreachable = { env: { CHANNEL_API_URL: 'http://127.0.0.1:1' } }
  const unreached = await deployment.run(connect(SANDBOX.accessToken), unreachable)
  expectRefusal(unreached, 1, 'the upstream platform cannot be reached: its server refused the connection')
  expect(unreached.stderr).toContain('Check the host and the port of CHANNEL_API_URL')
  expect(unreached.stderr).not.toContain('token')
  expect(await channels()).toEqual([])

  const unchecked = await deployment.json<Connected>(connect('wrong-access-token', '--no-verify'), unreachable)
  expect(unchecked).toMatchObject({ numbers: null })
  expect(await channels()).toMatchObject([{ id: unchecked.id }])
  expectRefusal(await deployment.run(connect('x', '--no-verify', '--add-lines'), { env }), 2, 'leave out --no-verify')
})

test('set-token and set-app-secret change one secret each, from a file or standard input alone', async () => {
  const { id } = await deployment.json<Connected>(connect('old-token', '--no-verify', '--verify-token', 'verify'))
  const setToken = ['channel', 'set-token', id, '--access-token-file']
  const tokenFile = deployment.path('new-token')
  writeFileSync(tokenFile, 'refused-token\n')
  expectRefusal(await deployment.run([...setToken, tokenFile], { env }), 1, 'Nothing was changed')
  expect(await secretOf(id, 'accessToken')).toBe('old-token')

  const changed = await deployment.run([...setToken, '-'], { env, stdin: SANDBOX.accessToken })
  expect(changed).toMatchObject({ code: 0, stderr: '' })
  expect(changed.stdout).not.toContain(SANDBOX.accessToken)
  expect(await secretOf(id, 'accessToken')).toBe(SANDBOX.accessToken)
  await deployment.json([...setToken, tokenFile, '--no-verify'])
  expect(await secretOf(id, 'accessToken')).toBe('refused-token')

  const setSecret = ['channel', 'set-app-secret', id, '--app-secret-file', '-']
  expect(await deployment.json(setSecret, { stdin: 'new-app-secret\n' })).toMatchObject({ id, workspaceId })
  expect(await secretOf(id, 'appSecret')).toBe('new-app-secret')
  expect(await secretOf(id, 'accessToken')).toBe('refused-token')
  expect(await secretOf(id, 'verifyToken')).toBe('verify')

  expectRefusal(await deployment.run([...setToken, '-', '--access-token', 'x']), 2, 'Unknown option')
  expectRefusal(await deployment.run(['channel', 'set-app-secret', id]), 2, '--app-secret-file')
  const unknown = ['channel', 'set-app-secret', 'chan_none', '--app-secret-file', '-']
  expectRefusal(await deployment.run(unknown, { stdin: 's' }), 1, 'No channel has this id: chan_none')
})

test("set-app-id gives the app's id; connecting again keeps it unless another one is given", async () => {
  const { id } = await deployment.json<Connected>(connect('token', '--no-verify', '--app-id', '670843887433847'))
  expect(await channels()).toMatchObject([{ id, appId: '670843887433847' }])
  await deployment.json(connect('token', '--no-verify'))
  expect(await channels()).toMatchObject([{ appId: '670843887433847' }])
  expect(await deployment.json(['channel', 'set-app-id', id, '12345'])).toMatchObject({ id, appId: '12345' })
  expect(await channels()).toMatchObject([{ appId: '12345' }])
  expectRefusal(await deployment.run(['channel', 'set-app-id', id, 'no/id']), 2, 'digits only')
  expectRefusal(await deployment.run(['channel', 'set-app-id', 'chan_none', '12345']), 1, 'No channel has this id')
})
