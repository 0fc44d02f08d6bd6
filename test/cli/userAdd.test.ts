import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { hungAfterMs } from '../timeLimit.ts'
import { timestamp } from '../timestamp.ts'
import { Deployment, expectRefusal, type Identified } from './waypost.ts'

setDefaultTimeout(hungAfterMs)

const deployment = new Deployment()
afterAll(() => deployment.remove())

const createWorkspace = (name: string) => ['workspace', 'create', '--name', name]
const newWorkspace = async (name: string) => (await deployment.json<Identified>(createWorkspace(name))).id
const withUser = (verb: string, workspaceId: string, email: string) => [
  ...['user', verb, '--workspace', workspaceId],
  ...['--email', email],
]

test('a workspace that a command made gets its first owner from the users who are there, and its audit says so', async () => {
  const first = await newWorkspace('First')
  const ada = await deployment.json<Identified>(withUser('create', first, 'ada@example.com'))
  await deployment.json(withUser('create', first, 'bob@example.com'))

  const { stdout } = await deployment.run(createWorkspace('Second'))
  const second = /ws_\w+/.exec(stdout)?.[0] ?? ''
  expect(stdout).toContain(`waypost user add --workspace ${second} --email … --role owner\n`)

  const added = await deployment.json<Identified>(withUser('add', second, 'ADA@example.com'))
  expect(added).toEqual({
    id: ada.id,
    email: 'ada@example.com',
    name: null,
    role: 'owner',
    workspaceId: second,
    createdAt: timestamp,
  } as Identified)
  const bob = [...withUser('add', second, 'bob@example.com'), '--role', 'viewer']
  expect((await deployment.run(bob)).stdout).toMatch(/✓ Member added\n.*email {6}bob@example.com\n.*role {7}viewer\n/s)
  const members = await deployment.json<{ email: string; role: string }[]>(['user', 'list', '--workspace', second])
  expect(members.map(({ email, role }) => [email, role])).toEqual([
    ['ada@example.com', 'owner'],
    ['bob@example.com', 'viewer'],
  ])

  const audit = await deployment.withStore(({ read }) => read.auditEntries({ workspaceId: second, limit: 10 }))
  expect(audit.map(({ action }) => action)).toEqual(['member.add', 'member.add', 'workspace.create'])
  expect(audit[1]).toMatchObject({ subject: ada.id, actor: expect.stringMatching(/^cli:/) })
})

test('without users, a new workspace gives no hint to add one', async () => {
  const empty = new Deployment()
  const { stdout } = await empty.run(createWorkspace('First'))
  expect(stdout).toContain('channel connect --workspace ws_')
  expect(stdout).not.toContain('user add')
  empty.remove()
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
    [withUser('add', 'ws_x', 'eve@example.com'), 1, 'No workspace with the id ws_x\n'],
    [
      [...withUser('add', workspaceId, 'eve@example.com'), '--role', 'viewer'],
      1,
      `The user eve@example.com is already a member of the workspace ${workspaceId}, with the role owner\n`,
    ],
    [[...withUser('add', workspaceId, 'eve@example.com'), '--role', 'king'], 2, 'role'],
    [withUser('add', workspaceId, 'eve'), 2, 'It must be an email address'],
  ]
  const ended = await Promise.all(rows.map(([args]) => deployment.run([...args, '--json'])))
  for (const [at, [, code, says]] of rows.entries()) expectRefusal(ended[at], code, says)
  const members = await deployment.json<object[]>(['user', 'list', '--workspace', workspaceId])
  expect(members).toMatchObject([{ email: 'eve@example.com', role: 'owner' }])
})
