import { join } from 'node:path'
import { minuteMs } from '../src/base/durations.ts'
import pinned from './advisories.json' with { type: 'json' }

/*
 * `bun run audit`: asks the registry whether a dependency has a known vulnerability. Where it does not answer, the list
 * in advisories.json is checked, and the output says so. Ends with 1 when there is one that nobody has accepted.
 */

export interface Advisory {
  readonly id: string
  readonly package: string
  /** A range of versions. */
  readonly vulnerable: string
  readonly title: string
}

export interface Installed {
  readonly name: string
  readonly version: string
}

const root = join(import.meta.dir, '..')
const auditMsMax = minuteMs

/** @returns every package that the lock file names. @param lock its text */
export const lockedPackages = (lock: string): Installed[] =>
  [...lock.matchAll(/^ {4}"[^"]+": \["((?:@[^/"]+\/)?[^@"]+)@(\d[^"]*)"/gm)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))

/** @returns those of the advisories that an installed package falls under. */
export const affecting = (installed: readonly Installed[], advisories: readonly Advisory[]): Advisory[] =>
  advisories.filter(({ package: name, vulnerable }) =>
    installed.some(one => one.name === name && Bun.semver.satisfies(one.version, vulnerable)),
  )

/** @returns what the registry answered; null when that is no report. @param output of `bun audit --json` */
export function readReport(output: string): Advisory[] | null {
  try {
    const report = JSON.parse(output) as Record<string, { url: string; title: string; vulnerable_versions: string }[]>
    return Object.entries(report).flatMap(([name, found]) =>
      found.map(({ url, title, vulnerable_versions }) => ({
        id: url.slice(url.lastIndexOf('/') + 1),
        package: name,
        vulnerable: vulnerable_versions,
        title,
      })),
    )
  } catch {
    return null
  }
}

/** Advisories that were looked at and do not concern us, with the reason. */
export const { accepted, advisories, asOf } = pinned

export const notAccepted = (found: readonly Advisory[]): Advisory[] =>
  found.filter(({ id }) => !accepted.some(one => one.id === id))

async function audit(): Promise<number> {
  const asked = Bun.spawnSync([process.execPath, 'audit', '--json'], { cwd: root, timeout: auditMsMax, stderr: 'pipe' })
  const report = readReport(asked.stdout.toString())
  const lock = await Bun.file(join(root, 'bun.lock')).text()
  const found = notAccepted(report ?? affecting(lockedPackages(lock), advisories))
  for (const { id, package: name, vulnerable, title } of found) console.log(`${name} ${vulnerable}: ${title} (${id})`)
  const source =
    report === null
      ? `a list of ${advisories.length} known vulnerabilities of ${asOf}, because the registry answered no audit: later ones are not known here`
      : "the registry's advisories"
  console.log(`Dependencies: ${found.length} vulnerabilities, by ${source}.`)
  return found.length === 0 ? 0 : 1
}

if (import.meta.main) process.exit(await audit())
