import type { Command } from 'commander'
import { MIGRATIONS } from '../../db/migrations/list.ts'
import manifest from '../../package.json' with { type: 'json' }
import { addVerb } from './command.ts'
import { card } from './output.ts'

/** This program's version. */
export const { version } = manifest

/** The versions of Bun that run it, as a range. */
export const bunRange: string = manifest.engines.bun

// The build defines them (package.json); from source they are not defined.
declare const WAYPOST_COMMIT: string
declare const WAYPOST_COMMIT_DATE: string

export function versionCommand(program: Command): void {
  addVerb(program, {
    name: 'version',
    summary: 'print the version, and the commit that it was built from',
    example: 'version --json',
    inputs: {},
    async run() {
      const { commit, date } = build()
      const schema = MIGRATIONS.at(-1)?.name ?? null
      const data = { version, commit, date, schema, bun: Bun.version }
      return { data, text: card(`waypost ${version}`, { commit, date, schema, bun: Bun.version }) }
    },
  })
}

/** The commit of this program and its date, ISO 8601 in UTC; null when it is not known. */
function build() {
  if (typeof WAYPOST_COMMIT === 'string') return { commit: WAYPOST_COMMIT || null, date: WAYPOST_COMMIT_DATE || null }
  // There is none without the git history, or without git.
  const git = (...args: string[]) => {
    try {
      const { success, stdout } = Bun.spawnSync(['git', '-C', import.meta.dir, ...args], { env: { TZ: 'UTC' } })
      return success ? stdout.toString().trim() || null : null
    } catch {
      return null
    }
  }
  return {
    commit: git('rev-parse', 'HEAD'),
    date: git('log', '-1', '--date=format-local:%Y-%m-%dT%H:%M:%SZ', '--format=%cd'),
  }
}
