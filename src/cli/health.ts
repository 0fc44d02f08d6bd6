import type { Command } from 'commander'
import type { LastUpgrade } from '../../db/migrations.ts'
import { isObject } from '../base/json.ts'
import { printable } from '../base/terminal.ts'
import { loadConfig } from '../config/config.ts'
import { addressOf, askGateway, type GatewayState } from '../doctor/ownGateway.ts'
import { upgradeText } from '../doctor/upgradeCheck.ts'
import { addVerb } from './command.ts'
import type { Workbench } from './session.ts'

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
      const state = await askGateway(config)
      const ok = state.kind === 'ready'
      const url = `${addressOf(config)}/readyz`
      return {
        data: { ok, url, answer: answerOf(state) },
        text: printable(`${state.words}.${upgradeOf(state)}`),
        failed: !ok,
      }
    },
  })
}

/** @returns a further sentence, while its last upgrade is told; else nothing */
function upgradeOf(state: GatewayState): string {
  const upgraded = state.kind === 'ready' ? state.answer.upgraded : null
  // As the gateway of this version writes it.
  return isObject(upgraded) ? ` It was ${upgradeText(upgraded as unknown as LastUpgrade)}.` : ''
}

/** @returns what the gateway said itself; else why it said nothing */
function answerOf(state: GatewayState): unknown {
  switch (state.kind) {
    case 'ready':
    case 'notReady':
      return state.answer
    case 'migrating':
      return { migration: { ...state.migration, since: new Date(state.migration.since).toISOString() } }
    case 'absent':
      return state.words
  }
}
