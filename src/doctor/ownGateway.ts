import { type DatabaseSettings, isHeld, runningMigration } from '../../db/database.ts'
import { migratingSince, type RunningMigration } from '../../db/migrations.ts'
import { systemClock } from '../base/clock.ts'
import { secondMs } from '../base/durations.ts'
import { field, isObject, type JsonObject, parseObject, text } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { createTransport, type Exchange } from '../transport/transport.ts'
import type { Check } from './finding.ts'

/** A gateway that takes longer to report its health cannot serve requests either. */
const answerMsMax = 5 * secondMs
/** `/readyz` has some hundred bytes. Another program may answer without an end. */
const answerBytesMax = 65_536

/** What the gateway of these settings says of itself, on this machine. `words`: for people, without a full stop. */
export type GatewayState =
  | { readonly kind: 'ready' | 'notReady'; readonly answer: JsonObject; readonly words: string }
  | { readonly kind: 'migrating'; readonly migration: RunningMigration; readonly words: string }
  /** Nothing listens there, or something else does. */
  | { readonly kind: 'absent'; readonly words: string }

type Asked = Pick<Config, 'host' | 'port'> & DatabaseSettings

/** A wildcard address is reached at its loopback address. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Asks the gateway whether it can take sends. No proxy of the environment is asked. */
export async function askGateway(config: Asked): Promise<GatewayState> {
  const address = addressOf(config)
  const transport = createTransport(systemClock)
  const answerMax = { bytes: answerBytesMax }
  const request = { method: 'GET', url: `${address}/readyz`, headers: {}, timeoutMs: answerMsMax, answerMax } as const
  const exchange = await transport.exchange(request)
  transport.close()
  const answer = exchange.kind === 'answered' ? parseObject(exchange.body) : null
  if (answer?.status === 'ready') return { kind: 'ready', answer, words: `The gateway at ${address} is ready` }
  if (answer?.error === 'SERVICE_UNAVAILABLE') {
    return { kind: 'notReady', answer, words: `The gateway at ${address} is not ready: ${whyNotReady(answer)}` }
  }
  const migration = await runningMigration(config)
  if (migration !== null) {
    const words = `The gateway at ${address} is not ready yet: ${migratingSince(migration)}`
    return { kind: 'migrating', migration, words }
  }
  return { kind: 'absent', words: whatIsThere(exchange, address) }
}

/** @returns the parts that are wrong, in the gateway's words */
function whyNotReady({ message, details }: JsonObject): string {
  const parts = field(details, 'parts')
  const wrong = Object.entries(isObject(parts) ? parts : {}).filter(([, word]) => word !== 'ok')
  if (wrong.length > 0) return wrong.map(([name, word]) => `${name} ${word}`).join(', ')
  return text(message)?.replace(/\.$/, '') ?? 'it does not say why'
}

/** @returns what answers at the address, or does not, when no gateway does, and what that means */
function whatIsThere(exchange: Exchange, address: string): string {
  const absent = 'the gateway does not run, or was started with another HOST or PORT'
  if (exchange.kind === 'answered') return `Another program answers at ${address} (HTTP ${exchange.status}): ${absent}`
  const { cause, why } = exchange
  if (cause === 'refused') return `Nothing listens at ${address}: ${absent}`
  if (cause === 'silence') {
    const late = `What listens at ${address} has not answered within ${answerMsMax / secondMs} seconds`
    return `${late}: the gateway hangs and has to be restarted, or another program has its port`
  }
  if (cause === 'closed' || cause === 'noHttp') return `Another program listens at ${address} (${why}): ${absent}`
  return `No gateway can be reached at ${address} (${why}): ${absent}`
}

/** The gateway of these settings is ready, and works on their database. */
export const ownGateway =
  (config: Asked): Check =>
  async () => {
    const { kind, words } = await askGateway(config)
    if (kind !== 'ready') throw new Error(words)
    if (config.databaseUrl === null && isHeld(config.databasePath) === false) {
      throw new Error(
        `${words}, but works on another database: none runs on ${config.databasePath}. Name the settings of the ` +
          'gateway that is meant: --env-file, or --data-dir',
      )
    }
    return words
  }
