import { graphTokenOf } from '../../src/base/graphToken.ts'
import type { Bench } from './bench.ts'
import { addWorkspace, type BenchGateway, type Installation } from './gateway.ts'
import type { Answered } from './loops.ts'
import { manyTemplates, manyTemplatesAccount } from './manyTemplates.ts'
import { comparedMedians, type Medians, paced, usualPerSecond } from './paced.ts'
import { run } from './processes.ts'
import { grouped } from './report.ts'
import type { Benchmark } from './scenario.ts'
import { startServer } from './server.ts'

/** What a send of another workspace may take beside what one key asks for without a pause. */
const ratioMax = 2
const loops = 10

/** What a key can ask for whose cost grows with what its workspace has, and what is answered 304 or refused of it. */
const calls = [
  'GET /templates',
  'GET /templates?language=en_US',
  'GET /templates?name=order_17',
  'GET /lines',
  'GET /messages',
  'GET /events',
  'GET /inbound',
  'GET /contacts?phone=%2B4915100000001',
  'GET /webhooks',
  'GET /graph/v23.0/424242424242',
  'GET /graph/v23.0/9000017',
  'GET /graph/v23.0/:account/message_templates?limit=1000',
  'GET /graph/v23.0/:account/message_templates?limit=5000',
  'GET /graph/v23.0/:account/phone_numbers',
  'GET /graph/v23.0/:account/subscribed_apps',
  'GET /graph/v23.0/:line',
  'GET /graph/v23.0/:line/whatsapp_business_profile',
  'GET /graph/v23.0/:line/block_users',
  'GET /graph/v23.0/debug_token?input_token=x',
  'GET /graph/v23.0/:account/flows',
] as const
const scopes =
  'graph,graph:pass,messages:send,messages:read,events:read,templates:read,inbound,contacts:read,media,webhooks'
const sendersPhoneId = '106540352242923'

/** The sends of a workspace, while a key of another one asks for one thing in ten loops. */
export const fairBenchmarks = async (bench: Bench) => besideLoops(bench, 'fair', {})

/** The same on PostgreSQL. */
export async function fairPostgresBenchmarks(bench: Bench): Promise<Benchmark[]> {
  const server = await startServer(bench)
  return besideLoops(bench, 'fair-postgres', { DATABASE_URL: await server.createDatabase() })
}

async function besideLoops(bench: Bench, name: string, env: Readonly<Record<string, string>>): Promise<Benchmark[]> {
  const installation = await bench.install(name, { GRAPH_API: 'on', ...env })
  const asking = await addWorkspace(installation, { accountId: manyTemplatesAccount, phoneId: sendersPhoneId })
  const key = await keyOf(installation, asking.workspaceId)
  const gateway = await bench.serve(installation)
  const { url: control } = await bench.fleet.service('loops.ts')
  const on = 'DATABASE_URL' in env ? ' on PostgreSQL' : ''
  return calls.map(call => {
    const what = `sends, text, ${usualPerSecond} a second${on}, beside ${loops} loops of ${call} with ${grouped(manyTemplates)} templates: median`
    return {
      title: what,
      async run({ seconds, rounds, warmUpSeconds }) {
        const begin = () =>
          fetch(control, { method: 'PUT', body: JSON.stringify({ url: addressOf(gateway, call), ...key, loops }) })
        const end = async () => (await (await fetch(control, { method: 'DELETE' })).json()) as Answered
        // The first call is another one than those that follow: what it reads is kept.
        await begin()
        await paced(gateway, usualPerSecond, Math.min(warmUpSeconds, 2))
        await end()
        const medians: Medians[] = []
        for (let round = 0; round < rounds; round += 1) {
          const alone = await paced(gateway, usualPerSecond, seconds)
          await begin()
          const beside = await paced(gateway, usualPerSecond, seconds)
          console.error(`  ${JSON.stringify(await end())}`)
          medians.push({ alone, beside })
        }
        return [comparedMedians(what, medians, ratioMax)]
      },
    }
  })
}

/** @returns the headers of a key, both as callers of the partner API and as existing clients give it */
async function keyOf({ binary, env }: Installation, workspaceId: string) {
  const made = ['key', 'create', '--workspace', workspaceId, '--scopes', scopes, '--json']
  const { apiKey, apiSecret } = JSON.parse(await run([binary, ...made], env))
  return { headers: { apiKey, apiSecret, authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}` } }
}

function addressOf({ url }: BenchGateway, call: (typeof calls)[number]): string {
  const path = call.slice('GET '.length).replace(':account', manyTemplatesAccount).replace(':line', sendersPhoneId)
  return url + (path.startsWith('/graph/') ? path : `/api/v1/public${path}`)
}
