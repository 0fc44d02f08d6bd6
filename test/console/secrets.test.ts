import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { Deployment, firstLine } from '../cli/waypost.ts'
import type { Answer } from '../gateway.ts'
import { type CallInit, call, cookiesOf, password } from './people.ts'

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

const email = 'ada@example.com'
const wrongPassword = 'a wrong password that nobody has'
const newPassword = 'another horse battery'

test('a whole run leaves no secret in its log, its list of processes or its files', async () => {
  const child = deployment.spawn(['serve', '--json'], {
    env: { PORT: '0', LOG_LEVEL: 'debug', LOG_FORMAT: 'json' },
  })
  const printed = JSON.parse(await firstLine(child.stdout)) as { url: string; setupUrl: string }
  const ask = (path: string, init?: CallInit) => call({ url: printed.url }, path, init)
  const secrets: string[] = [password, wrongPassword, newPassword]
  const keep = (answer: Answer, ...names: string[]) => {
    expect(answer.status).toBe(200)
    secrets.push(...names.flatMap(name => answer.json[name]))
    // The values without their names, and the parts of a refresh token.
    secrets.push(
      ...cookiesOf(answer.headers)
        .split(/[=;.\s]+/)
        .filter(part => part.length > 20),
    )
    return answer
  }

  const setupToken = printed.setupUrl.split('#')[1] ?? ''
  secrets.push(setupToken)
  const setUp = keep(await ask('/api/v1/auth/setup', { body: { token: setupToken, email, password } }), 'accessToken')
  expect((await ask('/api/v1/auth/setup', { body: { token: setupToken, email, password } })).status).toBe(404)
  expect((await ask('/api/v1/auth/login', { body: { email, password: wrongPassword } })).status).toBe(401)
  expect((await ask('/api/v1/auth/login', { body: { email, password: newPassword, extra: 1 } })).status).toBe(400)
  const login = keep(await ask('/api/v1/auth/login', { body: { email, password } }), 'accessToken')
  const cookie = cookiesOf(login.headers)
  keep(await ask('/api/v1/auth/refresh', { method: 'POST', headers: { cookie } }), 'accessToken')
  const headers = { authorization: `Bearer ${setUp.json.accessToken}` }
  const workspace = `/api/v1/workspaces/${setUp.json.workspaces[0].id}`
  const invitation = { email: 'bob@example.com', role: 'member' }
  const invited = keep(await ask(`${workspace}/invitations`, { headers, body: invitation }))
  secrets.push(String(invited.json.link).split('#')[1] ?? '')
  keep(await ask('/api/v1/auth/account/second-factor/start', { headers, body: { password } }), 'secret')
  keep(await ask('/api/v1/auth/account/password', { headers, body: { password, newPassword } }))
  // A token in the wrong place: a path is logged, a query is not.
  await ask(`/api/v1/auth/refresh?token=${setUp.json.accessToken}`, { method: 'POST' })
  const processes =
    readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') + readFileSync(`/proc/${child.pid}/environ`, 'utf8')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)

  // The link that makes the first user is for whoever reads the log: on one line, and nowhere else.
  const log = (await new Response(child.stderr).text()).replace(printed.setupUrl, '')
  expect(log).toContain('/api/v1/auth/login')
  expect(secrets.length).toBeGreaterThan(12)
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: deployment.dataDir, absolute: true })]
  const kept = [log, processes, ...files.map(file => readFileSync(file))].map(content => Buffer.from(content))
  expect(kept.length).toBeGreaterThanOrEqual(4)
  for (const secret of secrets) expect(kept.filter(content => content.includes(secret))).toEqual([])
})

test('the owner of the settings: the password is in its file alone', async () => {
  writeFileSync(deployment.path('password.txt'), password)
  const child = deployment.spawn(['serve', '--json'], {
    env: { PORT: '0', WAYPOST_OWNER_EMAIL: email, WAYPOST_OWNER_PASSWORD_FILE: deployment.path('password.txt') },
  })
  const printed = JSON.parse(await firstLine(child.stdout)) as Record<string, string>
  expect(printed).not.toHaveProperty('setupUrl')
  const login = await call({ url: printed.url ?? '' }, '/api/v1/auth/login', { body: { email, password } })
  expect(login.json.workspaces).toMatchObject([{ name: 'My workspace', role: 'owner' }])
  child.kill('SIGTERM')
  await child.exited
  expect(await new Response(child.stderr).text()).not.toContain(password)
})
