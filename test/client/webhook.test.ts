import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { verifyWebhook, type WebhookHeaders, WebhookNotVerified } from '../../packages/client/src/index.ts'
import { newWebhookSecret, webhookHeaders } from '../../src/base/webhookSignature.ts'
import { needs, program, run } from '../programs.ts'
import { root } from '../structure/modules.ts'

interface Case {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string | readonly string[]
  readonly nowSeconds: number
}

/** The vector with which the libraries of Standard Webhooks are tested. Its body is no event. */
const vector: Case = {
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  nowSeconds: 1_614_265_330,
}

const secret = newWebhookSecret()
const other = newWebhookSecret()
const seconds = 1_800_000_000
const event = { id: 'evt_1', type: 'message.read', timestamp: '2027-01-15T08:00:00.000Z', sequence: 4, data: {} }
const body = JSON.stringify({ ...event, data: { message: { text: 'Grüße 👋' } } })
const signedBy = (secrets: readonly string[]) => webhookHeaders(secrets, { id: event.id, seconds, body })
const headers = signedBy([secret])
const right = headers['webhook-signature'] ?? ''
const wrong = signedBy([other])['webhook-signature'] ?? ''
const good: Case = { body, headers, secret, nowSeconds: seconds }
const withHeaders = (more: Record<string, string>): Case => ({ ...good, headers: { ...headers, ...more } })
const without = (name: string): Case => ({
  ...good,
  headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
})
/** Signed as the headers say, whatever they say. */
function signedAs(more: Record<string, string>, signedBody = body): Case {
  const all = { ...headers, ...more }
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${all['webhook-id']}.${all['webhook-timestamp']}.${signedBody}`
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return { ...good, body: signedBody, headers: { ...all, 'webhook-signature': signature } }
}

const passing: Readonly<Record<string, Case>> = {
  'a request of the gateway': good,
  'names of headers in another case': {
    ...good,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  },
  'a secret without its prefix': { ...good, secret: secret.slice('whsec_'.length) },
  'a right signature among others': withHeaders({
    'webhook-signature': `${wrong} v2,${right.slice(3)} ${right} ${wrong}`,
  }),
  'two secrets of the receiver, of which the first signs': { ...good, secret: [secret, other] },
  'two secrets of the receiver, of which the second signs': { ...good, secret: [other, secret] },
  'two secrets of the gateway, of which the receiver knows the old one': {
    ...good,
    headers: signedBy([other, secret]),
  },
  '300 seconds old': { ...good, nowSeconds: seconds + 300 },
  '300 seconds ahead': { ...good, nowSeconds: seconds - 300 },
}

const refused: Readonly<Record<string, readonly [Case, string]>> = {
  '301 seconds old': [{ ...good, nowSeconds: seconds + 301 }, 'TOO_OLD'],
  '301 seconds ahead': [{ ...good, nowSeconds: seconds - 301 }, 'TOO_NEW'],
  'no time': [signedAs({ 'webhook-timestamp': 'now' }), 'TIMESTAMP_INVALID'],
  'a time with a fraction': [signedAs({ 'webhook-timestamp': `${seconds}.5` }), 'TIMESTAMP_INVALID'],
  'a negative time': [signedAs({ 'webhook-timestamp': `-${seconds}` }), 'TIMESTAMP_INVALID'],
  'no webhook-id': [without('webhook-id'), 'HEADER_MISSING'],
  'no webhook-timestamp': [without('webhook-timestamp'), 'HEADER_MISSING'],
  'no webhook-signature': [without('webhook-signature'), 'HEADER_MISSING'],
  'an empty header': [withHeaders({ 'webhook-signature': '' }), 'HEADER_MISSING'],
  'a signature of nothing': [withHeaders({ 'webhook-signature': 'v1,' }), 'NO_SIGNATURE_MATCHES'],
  'a signature without a version': [withHeaders({ 'webhook-signature': right.slice(3) }), 'NO_SIGNATURE_MATCHES'],
  'a signature of another version': [
    withHeaders({ 'webhook-signature': `v2,${right.slice(3)}` }),
    'NO_SIGNATURE_MATCHES',
  ],
  'a cut signature': [withHeaders({ 'webhook-signature': right.slice(0, -4) }), 'NO_SIGNATURE_MATCHES'],
  'only a wrong signature': [withHeaders({ 'webhook-signature': wrong }), 'NO_SIGNATURE_MATCHES'],
  'characters beyond ASCII in a signature': [withHeaders({ 'webhook-signature': 'v1,ü' }), 'NO_SIGNATURE_MATCHES'],
  'another secret': [{ ...good, secret: other }, 'NO_SIGNATURE_MATCHES'],
  'another id': [withHeaders({ 'webhook-id': 'evt_2' }), 'NO_SIGNATURE_MATCHES'],
  'another time': [withHeaders({ 'webhook-timestamp': `${seconds + 1}` }), 'NO_SIGNATURE_MATCHES'],
  'a body that was written again': [
    { ...good, body: JSON.stringify(JSON.parse(body), null, 1) },
    'NO_SIGNATURE_MATCHES',
  ],
  'the vector, which is signed but no event': [vector, 'NOT_AN_EVENT'],
  'the vector with a longer body': [{ ...vector, body: `${vector.body} ` }, 'NO_SIGNATURE_MATCHES'],
  'what is no JSON': [signedAs({}, 'hello'), 'NOT_AN_EVENT'],
  'a list': [signedAs({}, '[]'), 'NOT_AN_EVENT'],
  'what is nested very deeply': [signedAs({}, '['.repeat(20_000)), 'NOT_AN_EVENT'],
}

const noSecrets = [
  '',
  'whsec_',
  'whsec_c2hvcnQ=',
  'whsec_not base64 not base64 not base64',
  'secret-of-somebody-else',
  'sécret-of-somebody-else',
  [],
]

const cases: readonly Case[] = [
  ...Object.values(passing),
  ...Object.values(refused).map(([each]) => each),
  ...noSecrets.map(none => ({ ...good, secret: none })),
]

interface Outcome {
  readonly event?: unknown
  readonly code?: string
  readonly mistake?: boolean
  readonly message?: string
}

const outcomeOf = async (each: Case): Promise<Outcome> =>
  verifyWebhook(each.body, each.headers, each.secret, { now: () => each.nowSeconds * 1_000 }).then(
    told => ({ event: told }),
    (error: Error) =>
      error instanceof WebhookNotVerified
        ? { code: error.code, message: error.message }
        : { mistake: error instanceof TypeError, message: error.message },
  )

async function outcomesInPython(): Promise<Outcome[]> {
  const env = { PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const command = ['python3', join(import.meta.dir, 'webhook.py'), JSON.stringify(cases)]
  const { code, stdout, stderr } = await run(command, { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const clients = [
  ['TypeScript', () => Promise.all(cases.map(outcomeOf)), []],
  ['Python', outcomesInPython, [program('python3')]],
] as const

describe.each(clients)('%s', (_, outcomes, needed) => {
  const { isMissing, name } = needs(
    'takes what an endpoint signed now, and says what is wrong with all else',
    ...needed,
  )
  test.skipIf(isMissing)(name, async () => {
    const all = await outcomes()
    const names = [...Object.keys(passing), ...Object.keys(refused), ...noSecrets.map(none => `the secret ${none}`)]
    expect(all).toHaveLength(names.length)
    const byName = Object.fromEntries(all.map((outcome, at) => [names[at], outcome]))
    for (const each of Object.keys(passing)) expect([each, byName[each]]).toEqual([each, { event: JSON.parse(body) }])
    for (const [each, [, code]] of Object.entries(refused))
      expect([each, byName[each]]).toEqual([each, { code, message: expect.stringMatching(/^(webhook-[a-z]+|body): /) }])
    for (const none of noSecrets) {
      const outcome = byName[`the secret ${none}`]
      expect(outcome).toEqual({ mistake: true, message: expect.stringMatching(/^secret: pass /) })
      if (none.length > 'whsec_'.length) expect(outcome?.message).not.toContain(`${none}`)
    }
    expect(JSON.stringify(all)).not.toContain(secret.slice('whsec_'.length))
  })
})

describe('TypeScript', () => {
  const now = () => seconds * 1_000

  const forms: readonly (readonly [string, WebhookHeaders])[] = [
    ['Headers', new Headers(headers)],
    ["Node's headers, a list of values among them", { ...headers, 'webhook-signature': [wrong, right], host: 'a' }],
  ]
  test.each(forms)('takes %s', async (_, given) => {
    expect(await verifyWebhook(body, given, secret, { now })).toMatchObject({ id: 'evt_1' })
  })

  const bytes = new TextEncoder().encode(body)
  test.each([
    ['bytes', bytes],
    ['a Buffer', Buffer.from(body)],
    ['a part of other bytes', new TextEncoder().encode(`ab${body}`).subarray(2)],
    ['an ArrayBuffer', bytes.buffer],
  ] as const)('takes %s', async (_, given) => {
    expect(await verifyWebhook(given, headers, secret, { now })).toMatchObject({ id: 'evt_1' })
  })

  test('a body that was parsed is a mistake of the caller, and told as such', async () => {
    const parsed = verifyWebhook(JSON.parse(body), headers, secret, { now })
    await expect(parsed).rejects.toThrow(/^body: pass it as it came, as text or bytes, before anything parses it$/)
  })
})
