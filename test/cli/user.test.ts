import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { timestamp } from '../timestamp.ts'
import { Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

interface Created extends Identified {
  readonly email: string
  readonly role: string
  readonly password?: string
}

const newWorkspace = async () => (await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])).id
const create = (workspaceId: string, email: string) => ['user', 'create', '--workspace', workspaceId, '--email', email]

/** Whether the stored hash, and nothing but a hash, is that of the password. */
async function opens(email: string, password: string): Promise<boolean> {
  const stored = await deployment.withStore(store => store.read.userByEmail(email))
  expect(stored?.passwordHash).toStartWith('$argon2id$')
  return Bun.password.verify(password, stored?.passwordHash ?? '')
}

test('the first user of a workspace owns it; a generated password is shown once and only its hash is stored', async () => {
  const workspaceId = await newWorkspace()
  const ada = await deployment.json<Created>([...create(workspaceId, 'Ada@Example.com'), '--name', 'Ada'])
  expect(ada).toEqual({
    id: expect.stringMatching(/^user_/) as unknown as string,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'owner',
    workspaceId,
    createdAt: timestamp,
    password: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
  } as Created)
  const bob = await deployment.json<Created>(create(workspaceId, 'bob@example.com'))
  const eve = await deployment.json<Created>([...create(workspaceId, 'eve@example.com'), '--role', 'Admin'])
  expect(bob).toMatchObject({ name: null, role: 'member' })
  expect(eve).toMatchObject({ role: 'admin' })
  expect(bob.password).not.toBe(ada.password)
  expect(await opens('ada@example.com', ada.password ?? '')).toBe(true)
  expect(await opens('bob@example.com', ada.password ?? '')).toBe(false)

  const list = await deployment.json<Created[]>(['user', 'list', '--workspace', workspaceId])
  expect(list).toEqual([ada, bob, eve].map(({ password: _password, ...listed }) => listed))
  const { stdout } = await deployment.run(['user', 'list'])
  expect(stdout).toContain('ada@example.com')
  for (const text of [stdout, JSON.stringify(list)]) {
    for (const secret of ['argon2', ada.password ?? '']) expect(text).not.toContain(secret)
  }
})

test('of two first users at the same moment, one is the owner', async () => {
  const workspaceId = await newWorkspace()
  const created = await Promise.all(
    ['one@example.net', 'two@example.net'].map(email =>
      deployment.json<Created>(create(workspaceId, email), { asProcess: true }),
    ),
  )
  expect(created.map(({ role }) => role).sort()).toEqual(['member', 'owner'])
})

test('a password of their own comes from a file or standard input, and is not shown', async () => {
  const workspaceId = await newWorkspace()
  writeFileSync(deployment.path('password.txt'), 'correct horse battery\r\n')
  const byFile = await deployment.json<Created>([
    ...create(workspaceId, 'carl@example.com'),
    '--password-file',
    deployment.path('password.txt'),
  ])
  expect(byFile).not.toHaveProperty('password')
  expect(await opens('carl@example.com', 'correct horse battery')).toBe(true)

  const args = [...create(workspaceId, 'dora@example.com'), '--password-file', '-']
  const byInput = await deployment.run(args, { stdin: 'přesně dvanáct\n', asProcess: true })
  expect(byInput).toMatchObject({ code: 0, stderr: '' })
  expect(byInput.stdout).toContain('✓ User created')
  expect(byInput.stdout).not.toContain('dvanáct')
  expect(await opens('dora@example.com', 'přesně dvanáct')).toBe(true)
})

describe('a password is reset', () => {
  let workspaceId: string
  beforeAll(async () => {
    workspaceId = await newWorkspace()
  })

  test('by email in any case, or by id: the old one counts no more', async () => {
    const { id, email, password = '' } = await deployment.json<Created>(create(workspaceId, 'frida@example.com'))
    const byEmail = await deployment.json<Created>(['user', 'reset-password', 'FRIDA@example.com'])
    expect(byEmail).toEqual({ id, email, password: expect.stringMatching(/^[0-9A-Za-z]{24}$/) } as unknown as Created)
    expect(await opens(email, byEmail.password ?? '')).toBe(true)
    expect(await opens(email, password)).toBe(false)
    const byId = await deployment.json<Created>(['user', 'reset-password', id])
    expect(byId).toMatchObject({ id, email })
    expect(await opens(email, byId.password ?? '')).toBe(true)
  })

  test('to one of their own, which is not shown', async () => {
    const { id, email } = await deployment.json<Created>(create(workspaceId, 'gus@example.com'))
    const reset = ['user', 'reset-password', id, '--password-file', '-']
    const answer = await deployment.json<object>(reset, { stdin: 'a password of mine' })
    expect(answer).toEqual({ id, email })
    expect(await opens(email, 'a password of mine')).toBe(true)
  })

  test('and a person reads it with what to do', async () => {
    const { email } = await deployment.json<Created>(create(workspaceId, 'hal@example.com'))
    const { stdout } = await deployment.run(['user', 'reset-password', email])
    expect(stdout).toMatch(/✓ Password reset\n.*password {2}[0-9A-Za-z]{24}\n.*cannot be shown again/s)
  })
})

test('what cannot be done ends with 1 and one sentence, without the password', async () => {
  const workspaceId = await newWorkspace()
  await deployment.json(create(workspaceId, 'ida@example.com'))
  const rows: [args: string[], says: string][] = [
    [create('ws_x', 'jo@example.com'), 'No workspace has this id: ws_x\n'],
    [
      create(workspaceId, 'IDA@example.com'),
      `There is already a user with the email IDA@example.com. To invite them to this workspace: waypost user add --workspace ${workspaceId} --email IDA@example.com\n`,
    ],
    [['user', 'reset-password', 'user_x'], 'No user has this id: user_x\n'],
    [['user', 'reset-password', 'nobody@example.com'], 'No user with the email nobody@example.com\n'],
  ]
  const stdin = 'a password of mine'
  const ended = await Promise.all(
    rows.map(([args]) => deployment.run([...args, '--password-file', '-', '--json'], { stdin })),
  )
  for (const [at, [, says]] of rows.entries()) {
    expectRefusal(ended[at], 1, says)
    expect(ended[at]?.stderr).not.toContain(stdin)
    expect(ended[at]?.stderr).not.toContain('argon2')
  }
  expectRefusal(await deployment.run(['user', 'list', '--workspace', 'ws_x']), 1, 'No workspace has this id: ws_x\n')
  const missing = [...create(workspaceId, 'jo@example.com'), '--password-file', deployment.path('missing.txt')]
  expectRefusal(await deployment.run(missing), 1, 'The file for --password-file cannot be read')
})

test('wrong use ends with 2, without the password, and touches nothing', async () => {
  const untouched = new Deployment()
  const rows: [args: string[], stdin: string, says: string][] = [
    [create('ws_1', 'ada'), '', 'It must be an email address'],
    [create('ws_1', 'ada@ex ample.com'), '', 'It must be an email address'],
    [create('ws_1', 'ada@b@example.com'), '', 'It must be an email address'],
    [create('ws_1', `${'a'.repeat(243)}@example.com`), '', 'It must be an email address'],
    [['user', 'reset-password', 'ada@'], '', 'It must be an email address'],
    [['user', 'reset-password', '../x'], '', 'It must be an id'],
    [[...create('ws_1', 'ada@example.com'), '--role', 'root'], '', 'It must be one of viewer, member, admin, owner'],
    [[...create('ws_1', 'ada@example.com'), '--password-file', '-'], 'elevenchars\n', '12 to 1024 characters'],
    [[...create('ws_1', 'ada@example.com'), '--password-file', '-'], 'two lines of\npassword\n', 'on one line'],
    [['user', 'reset-password', 'user_1', '--password-file', '-'], 'x'.repeat(1_025), '12 to 1024 characters'],
  ]
  const ended = await Promise.all(rows.map(([args, stdin]) => untouched.run([...args, '--json'], { stdin })))
  for (const [at, [, stdin, says]] of rows.entries()) {
    expectRefusal(ended[at], 2, says)
    if (stdin !== '') expect(ended[at]?.stderr).not.toContain(stdin.trim().slice(0, 11))
  }
  expect(existsSync(untouched.dataDir)).toBe(false)
  untouched.remove()
})

test('a list of nobody is an empty array, and tells a person what to do', async () => {
  const workspaceId = await newWorkspace()
  expect(await deployment.json(['user', 'list', '--workspace', workspaceId])).toEqual([])
  const { stdout } = await deployment.run(['user', 'list', '--workspace', workspaceId])
  expect(stdout).toBe(`No user yet. Create one: waypost user create --workspace ${workspaceId} --email …\n`)
})

test('a set-up link is made as long as there is no user, and is for a browser', async () => {
  const empty = new Deployment()
  const { id } = await empty.json<Identified>(['workspace', 'create', '--name', 'Acme'])
  const { setupUrl } = await empty.json<{ setupUrl: string }>(['user', 'setup-link'])
  expect(setupUrl).toMatch(/^http:\/\/127\.0\.0\.1:8080\/console\/set-up#[0-9A-Za-z]{43}$/)
  await empty.json(create(id, 'ada@example.com'))
  expectRefusal(await empty.run(['user', 'setup-link']), 1, 'There are users already')
  empty.remove()
})

test('an authenticator app that is lost is removed; without one, that is said', async () => {
  const workspaceId = await newWorkspace()
  const { id, email } = await deployment.json<Created>(create(workspaceId, 'lea@example.com'))
  const sealedTotpSecret = 'v1.sealed'
  await deployment.withStore(async ({ write }) => {
    await write.startTotp({ userId: id, sealedTotpSecret, at: 1 })
    await write.confirmTotp({ userId: id, sealedTotpSecret, step: 1, codeHashes: ['a'], at: 1 })
  })
  const remove = ['user', 'remove-second-factor', email]
  expect(await deployment.json<object>(remove)).toEqual({ id, email })
  const stored = await deployment.withStore(({ read }) => read.userByEmail(email))
  expect(stored).toMatchObject({ totpSince: null, sealedTotpSecret: null })
  expectRefusal(await deployment.run(remove), 1, 'No authenticator app is set up')
})
