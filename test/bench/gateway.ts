import { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fleet, run, until } from './processes.ts'
import { fixedNumber, type Key, keyed, mark, type Seeded, sendBody, sendPath } from './traffic.ts'

export const appSecret = 'app-secret'
export const upstreamPhoneId = '106540352242922'
/** Where a line's messages are sent to. */
export const messagesPath = (phoneId: string) => `/v25.0/${phoneId}/messages`

/** The executable with a workspace, a channel, one line without pacing, its templates and a key. */
export interface BenchGateway {
  readonly url: string
  readonly key: Key
  readonly callbackPath: string
  /** Messages that are stored as SENT. */
  countSent(): number
  /** Events of callbacks that are on the timelines. */
  countReported(): number
  /** Resident memory in MB, now and at most; null where the system does not tell. */
  memory(): { readonly nowMb: number; readonly mostMb: number } | null
}

export async function startGateway(options: {
  fleet: Fleet
  binary: string
  upstreamUrl: string
  dataDir: string
  env?: Readonly<Record<string, string>>
}): Promise<BenchGateway> {
  const { fleet, binary, upstreamUrl, dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  const port = freePort()
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    CHANNEL_API_URL: upstreamUrl,
    PUBLIC_IP_RATE_LIMIT: '0',
    PUBLIC_API_KEY_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...options.env,
  }
  const command = async (line: string) => JSON.parse(await run([binary, ...line.split(' '), '--json'], env))
  const { id: workspace } = await command('workspace create --name bench')
  const { id: channel, callbackPath } = await command(
    `channel connect --workspace ${workspace} --account-id 100001 --access-token access-token --app-secret ${appSecret}`,
  )
  const { id: line } = await command(
    `line add --channel ${channel} --upstream-phone-id ${upstreamPhoneId} --number +15550783881`,
  )
  await command(`line set-rate ${line} --per-second 0 --pair-seconds 0`)
  await command(`template sync --workspace ${workspace}`)
  const { apiKey, apiSecret } = await command(`key create --workspace ${workspace}`)

  const { pid } = fleet.start([binary, 'serve'], env)
  const url = `http://127.0.0.1:${port}`
  await until('the start of the gateway', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok || null)

  const database = new Database(join(dataDir, 'waypost.db'), { readonly: true })
  const count = (sql: string) => Number(database.query<{ count: number }, []>(sql).get()?.count)
  return {
    url,
    key: { apiKey, apiSecret },
    callbackPath,
    countSent: () => count("SELECT count(*) AS count FROM messages WHERE status = 'SENT'"),
    countReported: () =>
      count("SELECT count(*) AS count FROM message_events WHERE kind IN ('sent', 'delivered', 'read')"),
    memory: () => memoryOf(pid),
  }
}

/** A port that was free just now: a gateway that logs only warnings does not tell which one it took. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  if (port === undefined) throw new Error('there is no free port')
  return port
}

function memoryOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
    return { nowMb: mb('VmRSS'), mostMb: mb('VmHWM') }
  } catch {
    return null
  }
}

const seedConnections = 64

/** Sends this many messages, the first numbers of all, and keeps their ids. */
export async function seed({ url, key }: BenchGateway, count: number): Promise<Seeded[]> {
  const seeded: Seeded[] = []
  const headers = { ...key, 'content-type': 'application/json' }
  let next = 0
  async function sendSome() {
    while (next < count) {
      const number = next++
      const body = sendBody(keyed).replaceAll(mark, fixedNumber(number))
      const answer = await fetch(url + sendPath, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`a send was answered ${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: Seeded }
      seeded[number] = data
    }
  }
  await Promise.all(Array.from({ length: seedConnections }, sendSome))
  return seeded
}
