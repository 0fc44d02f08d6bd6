import type { Command } from 'commander'
import { addressOf } from '../doctor/ownGateway.ts'
import rules from '../monitoring/prometheus/waypost.rules.yml' with { type: 'text' }
import { addVerb } from './command.ts'
import type { Workbench } from './session.ts'

/** Where the links in the file lead: to a gateway of the default settings. */
const urlInFile = 'http://127.0.0.1:8080'

/** `waypost alerts`: the rules for Prometheus, whose links lead to the guides that this gateway serves. */
export function alertsCommand(program: Command, { config }: Workbench): void {
  addVerb(program, {
    name: 'alerts',
    summary:
      'print the alerts for Prometheus, with links to PUBLIC_URL: for a file of rule_files, again after each upgrade',
    example: 'alerts > /etc/prometheus/waypost.rules.yml',
    inputs: {},
    async run() {
      const settings = config()
      const url = settings.publicUrl ?? addressOf(settings)
      const text = rules.trimEnd().replaceAll(urlInFile, () => url)
      return { data: { url, rules: text }, text }
    },
  })
}
