import type { Command } from 'commander'
import { runningMigration } from '../../db/database.ts'
import { migratingSince } from '../../db/migrations.ts'
import { messageOf } from '../base/errors.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { addVerb } from './command.ts'
import type { Workbench } from './session.ts'

/** A gateway that takes longer to report its health cannot serve requests either. */
const answerMsMax = 5_000

/** `waypost health`: asks the running gateway whether it can take sends; for container platforms and supervisors. */
export function healthCommand(program: Command, { environment }: Workbench): void {
  addVerb(program, {
    name: 'health',
    summary: 'ask the gateway on this machine whether it is ready: exit code 0 if it is, else 1',
    example: 'health',
    inputs: {},
    async run() {
      // Needs no database: every user may ask.
      const config = loadConfig(environment())
      const url = `${addressOf(config)}/readyz`
      const { ok, answer, text } = await ask(url, config)
      return { data: { ok, url, answer }, text, failed: !ok }
    },
  })
}

/** A wildcard address is reached at its loopback address. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** @returns what `/readyz` said, or why it said nothing; `text` says it for people */
async function ask(url: string, config: Config): Promise<{ ok: boolean; answer: unknown; text: string }> {
  try {
    // A proxy of the environment does not reach this machine.
    const response = await fetch(url, { proxy: false, signal: AbortSignal.timeout(answerMsMax) })
    const answer: unknown = await response.json()
    if (response.ok) return { ok: true, answer, text: 'The gateway is ready.' }
    return { ok: false, answer, text: `The gateway at ${url} is not ready: ${JSON.stringify(answer)}` }
  } catch (error) {
    const reason = messageOf(error)
    const migration = await runningMigration(config)
    if (migration !== null) {
      return {
        ok: false,
        answer: { migration: { ...migration, since: new Date(migration.since).toISOString() } },
        text: `The gateway at ${url} is not ready yet: ${migratingSince(migration)}.`,
      }
    }
    const advice = 'Is it running, and was it started with this HOST and PORT?'
    return { ok: false, answer: reason, text: `The gateway at ${url} does not answer (${reason}). ${advice}` }
  }
}
