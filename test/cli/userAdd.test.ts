import { afterAll, expect, test } from 'bun:test'
import { type CallInit, call, cookiesOf, password } from '../console/people.ts'
import type { Answer } from '../gateway.ts'
import { timestamp } from '../timestamp.ts'
import { Deployment, expectRefusal, firstLine, type Identified } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const newPassword = 'another horse battery'
const ownPassword = ['--password-file', '-']

const createWorkspace = (name: string) => ['workspace', 'create', '--name', name]
const newWorkspace = async (name: string) => (await deployment.json<Identified>(createWorkspace(name))).id
const withUser = (verb: string, workspaceId: string, email: string) => [
  ...['user', verb, '--workspace', workspaceId],
  ...['--email', email],
]

const userAdd = (workspaceId: string, email: string, ...more: string[]) => [
  ...withUser('add', workspaceId, email),
  ...more,
]

interface Invited extends Identified {
  readonly link: string
}

/** `waypost serve` on the deployment, until the block ends. */
async function serve() {
  const child = deployment.spawn(['serve', '--json'], { env: { PORT: '0' } })
  const { url } = JSON.parse(await firstLine(child.stdout)) as { url: string }
  const ask = (path: string, init?: CallInit) => call({ url }, `/api/v1${path}`, init)
  return {
    ask,
    /** Signs in, or accepts an invitation: answers what a browser has from then on. */
    async enter(path: string, body: object) {
      const { status, json, headers } = await ask(path, { body })
      expect(status).toBe(200)
      const authorization = `Bearer ${json.accessToken}`
      return {
        cookie: cookiesOf(headers),
        workspaces: json.workspaces as unknown[],
        call: (path: string, body?: object) => ask(path, { headers: { authorization }, body }),
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

const shown = ({ status, json }: Answer) => `${status} ${json?.error ?? 'OK'}`
const tokenOf = (link: string) => link.split('#')[1] ?? ''

test('who made an account with the address of somebody else gets nothing of a workspace that the operator opens to it', async () => {
  const [a, b] = [await newWorkspace('Mallory Ltd'), await newWorkspace('Victim Inc')]
  await deployment.json([...withUser('create', a, 'mallory@evil.example'), '--role', 'admin', ...ownPassword], {
    stdin: password,
  })
  await using gateway = await serve()
  const { ask, enter } = gateway
  const email = 'ceo@victim.example'
  const mallory = await enter('/auth/login', { email: 'mallory@evil.example', password })
  const own = (await mallory.call(`/workspaces/${a}/invitations`, { email, role: 'member' })).json.link as string
  const thief = await enter('/auth/invitations/accept', { token: tokenOf(own), password })

  const invited = await deployment.json<Invited>(userAdd(b, 'CEO@victim.example', '--role', 'owner'))
  for (const path of ['messages', 'members', 'invitations', 'audit'])
    expect([path, shown(await thief.call(`/workspaces/${b}/${path}`))]).toEqual([path, '404 NOT_FOUND'])
  expect((await thief.call('/auth/me')).text).not.toContain(b)
  expect(await deployment.json(['user', 'list', '--workspace', b])).toEqual([])
  expect(invited).toEqual({
    ...{ id: expect.stringMatching(/^user_/), email, name: null, role: 'owner', workspaceId: b, isReset: false },
    ...{ link: expect.stringMatching(/\/console\/invitation#[0-9A-Za-z]{43}$/), expiresAt: timestamp },
    workspaces: [{ id: a, name: 'Mallory Ltd', role: 'member' }],
  } as unknown as Invited)

  const token = tokenOf(invited.link)
  expect((await ask('/auth/invitations/check', { body: { token } })).json).toMatchObject({ email, account: 'there' })
  const stranger = await ask('/auth/invitations/accept', { body: { token, password: newPassword } })
  expect(shown(stranger)).toBe('409 CONFLICT')
  expect(stranger.json.message).toBe(`${email} has an account. Sign in, then open the link again.`)
  expect(shown(await ask('/auth/invitations/join', { body: { token } }))).toBe('401 UNAUTHORIZED')
  expect(shown(await mallory.call('/auth/invitations/join', { token }))).toBe('409 CONFLICT')
  const guessed = await ask('/auth/invitations/accept', { body: { token: 'x'.repeat(43), password } })
  expect(shown(guessed)).toBe('404 NOT_FOUND')
  expect(guessed.text).not.toContain(email)

  const { link } = await deployment.json<Invited>(userAdd(b, email, '--role', 'owner', '--reset'))
  expect(shown(await thief.call('/auth/me'))).toBe('401 UNAUTHORIZED')
  const refresh = await ask('/auth/refresh', { method: 'POST', headers: { cookie: thief.cookie } })
  expect(shown(refresh)).toBe('401 UNAUTHORIZED')
  const signIn = () => ask('/auth/login', { body: { email, password } })
  expect(shown(await signIn())).toBe('401 UNAUTHORIZED')
  expect(shown(await ask('/auth/invitations/check', { body: { token } }))).toBe('404 NOT_FOUND')

  const ceo = await enter('/auth/invitations/accept', { token: tokenOf(link), password: newPassword })
  expect(ceo.workspaces).toEqual([
    { id: a, name: 'Mallory Ltd', role: 'member' },
    { id: b, name: 'Victim Inc', role: 'owner' },
  ])
  expect(shown(await ceo.call(`/workspaces/${b}/messages`))).toBe('200 OK')
  expect(shown(await signIn())).toBe('401 UNAUTHORIZED')
  const again = { token: tokenOf(link), password }
  expect(shown(await ask('/auth/invitations/accept', { body: again }))).toBe('404 NOT_FOUND')

  const { entries } = (await ceo.call(`/workspaces/${b}/audit`)).json
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    ...['session.start', 'member.join', 'user.reset', 'member.invite', 'workspace.create'],
  ])
})

test('a workspace that a command made gets its first owner from the users who are there, who accept by a link', async () => {
  const first = await newWorkspace('First')
  const ada = await deployment.json<Identified>([...withUser('create', first, 'ada@example.com'), ...ownPassword], {
    stdin: password,
  })
  const { stdout } = await deployment.run(createWorkspace('Second'))
  const second = /ws_\w+/.exec(stdout)?.[0] ?? ''
  expect(stdout).toContain(`waypost user add --workspace ${second} --email … --role owner\n`)

  const { stdout: printed } = await deployment.run(userAdd(second, 'ADA@example.com'))
  expect(printed).toMatch(/✓ User invited\n.*email {6}ada@example.com\n.*role {7}owner\n/s)
  expect(printed).toMatch(/Next: give the link to the user in private\. .* --reset\.\n/)
  expect(printed).toMatch(new RegExp(`member of +name +role\n${first} +First +owner\n$`))
  await using gateway = await serve()
  const person = await gateway.enter('/auth/login', { email: 'ada@example.com', password })
  const [, token] = /#(\w+)/.exec(printed) ?? []
  expect(shown(await person.call('/auth/invitations/join', { token }))).toBe('200 OK')
  const members = await deployment.json<{ id: string; role: string }[]>(['user', 'list', '--workspace', second])
  expect(members.map(({ id, role }) => [id, role])).toEqual([[ada.id, 'owner']])
})

test('a member whose account somebody else has is reset, and keeps the role', async () => {
  const workspaceId = await newWorkspace('Fourth')
  await deployment.json(withUser('create', workspaceId, 'max@example.com'))
  const { stdout } = await deployment.run(userAdd(workspaceId, 'max@example.com', '--reset'))
  expect(stdout).toMatch(/✓ Account reset, and invited\n.*role {7}owner\n.*sets a new password\./s)
  expect(stdout).toContain('waypost audit list --by console:max@example.com\n')
  expect(stdout).toMatch(new RegExp(`${workspaceId} +Fourth +owner\n$`))
})

test('without users, a new workspace gives no hint to add one', async () => {
  const empty = new Deployment()
  const { stdout } = await empty.run(createWorkspace('First'))
  expect(stdout).toContain('channel connect --workspace ws_')
  expect(stdout).not.toContain('user add')
  empty.remove()
})

test('with colours on, the JSON of a refusal has none', async () => {
  const workspaceId = await newWorkspace('Colours')
  const { stdout } = await deployment.run([...withUser('add', workspaceId, 'nobody@example.com'), '--json'], {
    env: { FORCE_COLOR: '1', NO_COLOR: '' },
    asProcess: true,
  })
  expect(JSON.parse(stdout).message).toEndWith(
    `Create one: waypost user create --workspace ${workspaceId} --email nobody@example.com`,
  )
})

test('an unknown email, an unknown workspace and a member are refused with what to do, and nothing changes', async () => {
  const workspaceId = await newWorkspace('Third')
  await deployment.json(withUser('create', workspaceId, 'eve@example.com'))
  const rows: [args: string[], code: 1 | 2, says: string][] = [
    [
      withUser('add', workspaceId, 'nobody@example.com'),
      1,
      `No user with the email nobody@example.com. Create one: waypost user create --workspace ${workspaceId} --email nobody@example.com\n`,
    ],
    [withUser('add', 'ws_x', 'eve@example.com'), 1, 'No workspace has this id: ws_x\n'],
    [
      [...withUser('add', workspaceId, 'eve@example.com'), '--role', 'viewer'],
      1,
      `The user eve@example.com is already a member of the workspace ${workspaceId}, with the role owner. If somebody else has the account: --reset\n`,
    ],
    [
      userAdd(workspaceId, 'eve@example.com', '--role', 'viewer', '--reset'),
      1,
      'A reset changes no role: leave out --role\n',
    ],
    [[...withUser('add', workspaceId, 'eve@example.com'), '--role', 'king'], 2, 'role'],
    [withUser('add', workspaceId, 'eve'), 2, 'It must be an email address'],
  ]
  const ended = await Promise.all(rows.map(([args]) => deployment.run([...args, '--json'])))
  for (const [at, [, code, says]] of rows.entries()) expectRefusal(ended[at], code, says)
  const members = await deployment.json<object[]>(['user', 'list', '--workspace', workspaceId])
  expect(members).toMatchObject([{ email: 'eve@example.com', role: 'owner' }])
})
