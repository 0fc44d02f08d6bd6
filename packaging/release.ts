import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../src/base/errors.ts'
import { version } from '../src/cli/version.ts'
import { archive, archivePrograms } from './archive.ts'
import { type Built, build } from './build.ts'
import { clientPrograms, pythonClient, typescriptClient } from './clients.ts'
import { isInstalled, run } from './command.ts'
import { thirdPartyLicences } from './licences.ts'
import { manPage } from './manPage.ts'
import { debianPackage, packageBuilders, rpmPackage } from './packages.ts'
import { billOfMaterials } from './sbom.ts'
import { hostTarget, TARGETS, type Target } from './targets.ts'
import { watchFiles } from './tree.ts'

/*
 * `bun run release`: the executable for every system, each in an archive with nothing beside it; packages for Debian
 * and Fedora; the clients; alerts and dashboard; a bill of materials and the licences of what is inside; checksums. The
 * same commit gives the same bytes.
 *
 *   --only linux-x64,linux-arm64   some systems
 *   --out FOLDER                   where it goes; it is emptied first. Default: dist/release
 *   --without-rpm                  needs no rpmbuild
 *   --version 0.2.0                of the packages; for tests of an upgrade
 *   --fast                         for tests: compresses quickly, and builds a folder with changes as well
 *
 * What is wrong is said before anything is built. Progress goes to standard error, the checksums to standard output.
 */

const root = join(import.meta.dir, '..')

interface Order {
  readonly targets: readonly Target[]
  readonly out: string
  readonly version: string
  readonly withRpm: boolean
  readonly isFast: boolean
  /** Seconds since 1970 of the commit, and not of the build: it stands in every file. */
  readonly epoch: number
}

await release(readOrderOrEnd())

function readOrderOrEnd(): Order {
  try {
    return readOrder()
  } catch (cause) {
    process.stderr.write(`${messageOf(cause)}\n`)
    process.exit(1)
  }
}

/** @throws Error with what is wrong, or with all that is missing */
function readOrder(): Order {
  const { values: options } = parseArgs({
    options: {
      only: { type: 'string' },
      out: { type: 'string', default: 'dist/release' },
      version: { type: 'string', default: version },
      'without-rpm': { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
    },
  })
  const names = TARGETS.map(({ name }) => name)
  const wanted = options.only?.split(',') ?? names
  const unknown = wanted.filter(name => !names.includes(name))
  if (unknown.length > 0) throw new Error(`There is no system ${unknown.join(', ')}; there are ${names.join(', ')}`)
  const targets = TARGETS.filter(({ name }) => wanted.includes(name))
  const withRpm = !options['without-rpm']
  const given = process.env.SOURCE_DATE_EPOCH
  checkPrograms(targets, { withRpm, withGit: !options.fast || !given })
  if (!options.fast && git('status', '--porcelain') !== '') {
    throw new Error('This folder has changes that are in no commit. A release is made of a commit: commit them first')
  }
  const epoch = Number(given || git('log', '-1', '--format=%ct'))
  return { targets, out: resolve(options.out), version: options.version, withRpm, isFast: options.fast, epoch }
}

/** @throws Error with all programs that are not installed */
function checkPrograms(targets: readonly Target[], { withRpm, withGit }: { withRpm: boolean; withGit: boolean }): void {
  const hasPackages = targets.some(({ packages }) => packages !== null)
  const needed = [
    ...(withGit ? ['git'] : []),
    ...targets.flatMap(({ name }) => archivePrograms(name)),
    ...(hasPackages ? [packageBuilders.debian, ...(withRpm ? [packageBuilders.rpm] : [])] : []),
    ...clientPrograms,
  ]
  const missing = [...new Set(needed)].filter(program => !isInstalled(program))
  if (missing.length === 0) return
  const ways = ['install them', '--only makes some systems, as in --only linux-x64']
  if (missing.includes(packageBuilders.rpm)) ways.push(`--without-rpm needs no ${packageBuilders.rpm}`)
  throw new Error(`A release needs ${missing.join(', ')}, not installed here. Nothing was built: ${ways.join('; ')}`)
}

async function release(order: Order): Promise<void> {
  rmSync(order.out, { recursive: true, force: true })
  mkdirSync(order.out, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'waypost-release-'))
  try {
    await make(order, work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param work an empty folder */
async function make({ targets, out, version, withRpm, isFast, epoch }: Order, work: string): Promise<void> {
  const built = new Set([hostTarget, ...targets.map(({ name }) => name)])
  const packed = targets.filter(({ packages }) => packages !== null)
  // One more for the clients.
  const step = counted(built.size + targets.length + packed.length * (withRpm ? 2 : 1) + 1)
  const builds = new Map<string, Built>()
  const builtFor = (name: string) => {
    const built = builds.get(name) ?? step(`${name}: the executable`, () => build(name, work))
    builds.set(name, built)
    return built
  }
  // Whatever is released, this machine's own is built as well: packages have what it prints.
  const native = builtFor(hostTarget)
  const licences = await thirdPartyLicences(native.contents)
  const manual = await manPage(new Date(epoch * 1000).toISOString().slice(0, 10))
  const made: string[] = []
  for (const { name, packages } of targets) {
    const { executable } = builtFor(name)
    const level = isFast ? 1 : 6
    made.push(
      step(`${name}: its archive`, () =>
        archive(name, executable, { out, name: `waypost-${version}-${name}`, epoch, level }),
      ),
    )
    if (!packages) continue
    const shared = { executable, native: native.executable, manual, licences, epoch, version, out }
    const workOf = (kind: string) => {
      const folder = join(work, `${name}-${kind}`)
      mkdirSync(folder)
      return { work: folder, isFast }
    }
    made.push(
      step(`${name}: its .deb`, () => debianPackage({ ...shared, ...workOf('deb'), architecture: packages.debian })),
    )
    if (!withRpm) continue
    made.push(step(`${name}: its .rpm`, () => rpmPackage({ ...shared, ...workOf('rpm'), architecture: packages.rpm })))
  }
  made.push(...step('the clients', () => [typescriptClient(work, out), pythonClient(work, out, epoch)]))
  for (const path of watchFiles) {
    const released = join(out, basename(path))
    copyFileSync(path, released)
    made.push(released)
  }
  const licencesPath = join(out, 'THIRD_PARTY_LICENSES')
  await Bun.write(licencesPath, licences)
  const bill = join(out, 'waypost.cdx.json')
  await Bun.write(bill, await billOfMaterials(native.contents, version, epoch))
  const sums = await Promise.all([...made, licencesPath, bill].map(sumOf))
  await Bun.write(join(out, 'checksums.txt'), sums.join(''))
  process.stdout.write(sums.join(''))
}

/** @returns what does a step after it has said which one begins. Each takes up to a minute. */
function counted(total: number): <Made>(name: string, work: () => Made) => Made {
  let at = 0
  return (name, work) => {
    at += 1
    process.stderr.write(`${at} of ${total}  ${name}\n`)
    return work()
  }
}

/** @returns a line as `sha256sum --check` reads it */
async function sumOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes())
  return `${hasher.digest('hex')}  ${basename(path)}\n`
}

function git(...args: readonly string[]): string {
  return run(['git', ...args], { cwd: root }).trim()
}
