import type { BareRoute } from './bare.ts'
import { appSecret } from './gateway.ts'
import { until } from './processes.ts'
import type { Scenario, Side } from './scenario.ts'
import type { Bench } from './scenarios.ts'
import { callbacks, type Key, keyed, replays, sendBody, sendPath, statusPath, statusReads } from './traffic.ts'

/** What needs no upstream is compared with a bare route that returns the same bytes. */
const connections = 64

export async function statusScenario(bench: Bench): Promise<Scenario> {
  const { gateway, seeded } = bench
  const answer = await fetch(`${gateway.url}${statusPath}/${seeded[0]?.id}`, { headers: { ...gateway.key } })
  return {
    what: `status reads, ${seeded.length} messages and more stored`,
    connections,
    traffic: () => statusReads(gateway.key, seeded),
    baseline: await bareRoute(bench, 'GET', `${statusPath}/:messageId`, answer),
    gateway: { url: gateway.url },
    marks: { goal: 0.5 },
    answers: 'success',
  }
}

export async function replayScenario(bench: Bench): Promise<Scenario> {
  const { gateway, seeded } = bench
  const answer = await trySend(gateway.url, gateway.key)
  const replayed = (await answer.clone().json()) as { data?: { idempotentReplay?: boolean } }
  if (replayed.data?.idempotentReplay !== true) throw new Error('the seed is not replayed')
  return {
    what: 'replays of sends',
    connections,
    traffic: () => replays(gateway.key, seeded),
    baseline: await bareRoute(bench, 'POST', sendPath, answer),
    gateway: { url: gateway.url },
    marks: {},
    answers: 'success',
  }
}

/** Sends with a wrong secret: refused before the body is read. */
export async function unauthorizedScenario(bench: Bench): Promise<Scenario> {
  const { gateway, seeded } = bench
  const key = { ...gateway.key, apiSecret: `sk_${'0'.repeat(43)}` }
  return {
    what: 'refusals, 401',
    connections,
    traffic: () => replays(key, seeded),
    baseline: await bareRoute(bench, 'POST', sendPath, await trySend(gateway.url, key)),
    gateway: { url: gateway.url },
    marks: { goal: 0.7 },
    answers: 'refusal',
  }
}

/** Sends beyond the limit of their key, which is known only after the key was checked. */
export async function limitedScenario(bench: Bench): Promise<Scenario> {
  const { url, key } = await bench.startGateway('limited', { PUBLIC_API_KEY_RATE_LIMIT: '1' })
  await trySend(url, key)
  return {
    what: 'refusals, 429',
    connections,
    traffic: () => replays(key, bench.seeded),
    baseline: await bareRoute(bench, 'POST', sendPath, await trySend(url, key)),
    gateway: { url },
    marks: { goal: 0.7 },
    answers: 'refusal',
  }
}

/** Signed callbacks with one status each; every answer means that it is on disk. */
export async function callbackScenario(bench: Bench): Promise<Scenario> {
  const { gateway, seeded } = bench
  const path = gateway.callbackPath
  return {
    what: 'callbacks, one by one',
    connections,
    traffic: round => callbacks({ path, appSecret, seeded, round }),
    baseline: await bareRoute(bench, 'POST', path, new Response('OK')),
    gateway: {
      url: gateway.url,
      async watch() {
        const before = gateway.countReported()
        return async ({ completed }) => {
          const expected = Math.min(completed, seeded.length)
          await until('the events of the callbacks', () => gateway.countReported() - before >= expected || null)
        }
      },
    },
    marks: {},
    answers: 'success',
  }
}

const trySend = (url: string, key: Key) =>
  fetch(url + sendPath, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: sendBody(keyed).replaceAll('#', '0'),
  })

/** @returns a bare Elysia route that gives this answer to everybody. */
async function bareRoute(bench: Bench, method: BareRoute['method'], path: string, answer: Response): Promise<Side> {
  const contentType = answer.headers.get('content-type') ?? 'text/plain'
  const route: BareRoute = { method, path, status: answer.status, contentType, body: await answer.text() }
  return { url: await bench.fleet.service('bare.ts', JSON.stringify(route)) }
}
