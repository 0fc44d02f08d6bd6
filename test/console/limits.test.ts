import { expect, test } from 'bun:test'
import { minuteMs } from '../../src/base/durations.ts'
import { GatewayError } from '../../src/base/errors.ts'
import { countedNetworks } from '../../src/base/network.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import { SignInAttempts } from '../../src/console/access/attempts.ts'
import { newRefreshToken, tokenText } from '../../src/console/access/refreshTokens.ts'
import { SignIns } from '../../src/console/access/signIns.ts'
import { hashPassword, Passwords } from '../../src/operations/passwords.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { ChangeFeed } from '../../src/reading/feed.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { cheapHash, startTestGateway, type TestGateway } from '../gateway.ts'
import { addPerson, call, type Person, password } from './people.ts'

/* What one caller can take from the others: the writer, the sign-ins, the live events and the audit. */

const clock = new ManualClock(Date.now())
const gateway = sharedFixture(() => startTestGateway({ clock, env: { OWNER_WORKSPACES_MAX: '10' } }))

const reasonOf = (error: unknown) => (error instanceof GatewayError ? error.reason : error)

test('a stranger who makes up refresh tokens gives the writer nothing to do', async () => {
  const { store } = gateway.gateway
  let asked = 0
  const counting = {
    ...store,
    writeAs: (author: Parameters<typeof store.writeAs>[0]) => {
      asked += 1
      return store.writeAs(author)
    },
  }
  const vault = { deriveKey: () => new Uint8Array(new ArrayBuffer(32)) }
  const signIns = new SignIns({ store: counting, clock, vault })
  const madeUp = tokenText(newRefreshToken())
  expect(await signIns.refresh(madeUp, { device: null, network: null })).toBeNull()
  expect(await signIns.end(madeUp)).toBe(false)
  expect(asked).toBe(0)
})

test('the owner of a large IPv6 network gets no limit of failed sign-ins for each part of it', async () => {
  const attempts = new SignInAttempts(clock)
  const guessFrom = (address: string, email: string) =>
    attempts
      .judge({ email, networks: countedNetworks(address), device: null }, async () => {
        throw new GatewayError({ reason: 'UNAUTHORIZED', message: 'wrong' })
      })
      .catch(reasonOf)
  const reasons: unknown[] = []
  for (let part = 0; part < 1_000; part += 1) {
    reasons.push(await guessFrom(`2001:db8:1:${part.toString(16)}::1`, `${part}@example.com`))
  }
  // Those of one /56: four times what one /64 may.
  expect(reasons.indexOf('RATE_LIMIT_EXCEEDED')).toBe(120)
  expect(await guessFrom('2001:db8:2::1', 'ada@example.com')).toBe('UNAUTHORIZED')
})

test('a sign-in that could not be judged does not count as a failed one', async () => {
  const attempts = new SignInAttempts(clock)
  const attempt = { email: 'ada@example.com', networks: ['203.0.113.1'], device: null }
  const unjudged = [
    new GatewayError({ reason: 'SERVICE_UNAVAILABLE', message: 'busy' }),
    new Unavailable('the database is away'),
  ]
  for (const error of Array.from({ length: 3 }, () => unjudged).flat()) {
    const judged = attempts.judge(attempt, () => Promise.reject(error))
    expect(await judged.catch((met: unknown) => met)).toBe(error)
  }
  expect(await attempts.judge(attempt, async () => 'right')).toBe('right')
})

test('503 SERVICE_UNAVAILABLE: passwords are hashed one at a time; known browsers come first, in places of their own', async () => {
  const passwords = new Passwords()
  const cheap = await hashPassword(password, cheapHash)
  const order: string[] = []
  const verify = async (isKnown: boolean) => {
    const verified = await passwords.verify(password, cheap, isKnown).catch(reasonOf)
    order.push(`${isKnown ? 'known' : 'stranger'} ${verified}`)
  }
  await Promise.all([
    ...Array.from({ length: 32 }, () => verify(false)),
    ...Array.from({ length: 11 }, () => verify(true)),
  ])
  expect(order).toEqual([
    'stranger SERVICE_UNAVAILABLE',
    'known SERVICE_UNAVAILABLE',
    'stranger true',
    ...Array(10).fill('known true'),
    ...Array(30).fill('stranger true'),
  ])
})

test('503 SERVICE_UNAVAILABLE: one user does not take the live events of a whole workspace', async () => {
  const [one, other] = [await addPerson(gateway, 'viewer'), await addPerson(gateway, 'viewer')]
  const follow = (accessToken: string) =>
    fetch(`${gateway.url}/api/v1/workspaces/${gateway.workspaceId}/events`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
  const taken = await Promise.all(Array.from({ length: 12 }, () => follow(one.accessToken)))
  expect(taken.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(taken.filter(({ status }) => status === 503)).toHaveLength(2)
  const followed = await follow(other.accessToken)
  expect(followed.status).toBe(200)
  for (const { body } of [...taken, followed]) await body?.cancel()
})

test('503 SERVICE_UNAVAILABLE: one owner with many workspaces and users does not take the live events of all', async () => {
  const owner = await addPerson(gateway, 'owner', (await gateway.addWorkspace()).workspaceId)
  const follow = ({ accessToken }: Person, workspaceId: string) =>
    fetch(`${gateway.url}/api/v1/workspaces/${workspaceId}/events`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
  const taken: Response[] = []
  let workspaceId = ''
  for (let user = 0; user < 11; user += 1) {
    // Two users follow all that a workspace has.
    if (user % 2 === 0) workspaceId = (await owner.call('/api/v1/workspaces', { body: { name: 'Shop' } })).json.id
    const viewer = await addPerson(gateway, 'viewer', workspaceId)
    taken.push(...(await Promise.all(Array.from({ length: 10 }, () => follow(viewer, workspaceId)))))
  }
  expect(taken.map(({ status }) => status)).toEqual([...Array(100).fill(200), ...Array(10).fill(503)])
  const other = await follow(await addPerson(gateway, 'viewer'), gateway.workspaceId)
  expect(other.status).toBe(200)
  for (const { body } of [...taken, other]) await body?.cancel()
})

test('503 SERVICE_UNAVAILABLE: example files that never arrive fill neither the memory nor all places', async () => {
  const ends: (() => void)[] = []
  const statuses: number[] = []
  const upload = async ({ accessToken }: Person, { workspaceId, line }: Pick<TestGateway, 'workspaceId' | 'line'>) => {
    const query = new URLSearchParams({ phoneNumberId: line.id, kind: 'image', fileName: 'a.png' })
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1_000))
        ends.push(() => controller.close())
      },
    })
    const path = `${gateway.url}/api/v1/workspaces/${workspaceId}/template-examples?${query}`
    const headers = { authorization: `Bearer ${accessToken}` }
    const { status } = await fetch(path, { method: 'POST', headers, body })
    statuses.push(status)
  }
  const ada = await addPerson(gateway, 'member')
  const tenant = await gateway.addWorkspace()
  const grace = await addPerson(gateway, 'member', tenant.workspaceId)
  const uploads: Promise<void>[] = []
  /** The others are answered when their files have ended. */
  const refused = (count: number) => eventually(() => expect(statuses).toEqual(Array(count).fill(503)))
  // Two of a workspace, of whichever users.
  for (let count = 0; count < 3; count += 1) uploads.push(upload(ada, gateway))
  await refused(1)
  uploads.push(upload(await addPerson(gateway, 'member'), gateway))
  await refused(2)
  for (let count = 0; count < 3; count += 1) uploads.push(upload(grace, tenant))
  await refused(3)
  const third = await gateway.addWorkspace()
  uploads.push(upload(await addPerson(gateway, 'member', third.workspaceId), third))
  await refused(4)
  for (const end of ends) {
    try {
      end()
    } catch {
      // Its request was refused.
    }
  }
  await Promise.all(uploads)
  expect(statuses).toEqual([...Array(4).fill(503), ...Array(4).fill(400)])
})

test('a workspace whose listeners were refused is not watched', () => {
  const feed = new ChangeFeed(clock, new Announcements())
  const listener = { take: () => {}, reset: () => {}, end: () => {} }
  for (let count = 0; count < 200; count += 1) feed.listen(`ws_${count}`, null, listener)
  expect(feed.listen('ws_refused', null, listener)).toBeNull()
  expect([...feed.workspaceIds]).not.toContain('ws_refused')
})

test('429 RATE_LIMIT_EXCEEDED: one user cannot fill the audit, so that older entries are dropped', async () => {
  const [one, other] = [await addPerson(gateway, 'viewer'), await addPerson(gateway, 'viewer')]
  const rename = ({ call }: typeof one, name: string) =>
    call('/api/v1/auth/account', { method: 'PATCH', body: { name } })
  const statuses: number[] = []
  // A sign-in counts too: it was the first.
  for (let count = 1; count <= 300; count += 1) statuses.push((await rename(one, `name ${count}`)).status)
  expect(statuses).toEqual([...Array(299).fill(200), 429])
  const refused = await rename(one, 'again')
  expect(refused.json.error).toBe('RATE_LIMIT_EXCEEDED')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await one.call('/api/v1/auth/me')).status).toBe(200)
  expect((await rename(other, 'Grace')).status).toBe(200)
  const signIn = () => call(gateway, '/api/v1/auth/login', { body: { email: one.email, password } })
  // From the sixth on, without hashing the password.
  for (let count = 0; count < 5; count += 1) expect((await signIn()).json.message).toContain('300 changes')
  expect((await signIn()).json.message).toContain('Too many failed sign-ins')
  clock.advance(15 * minuteMs)
  expect((await signIn()).status).toBe(200)
})
