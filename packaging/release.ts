import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../src/cli/version.ts'
import { archive } from './archive.ts'
import { type Built, build } from './build.ts'
import { run } from './command.ts'
import { thirdPartyLicences } from './licences.ts'
import { manPage } from './manPage.ts'
import { debianPackage, rpmPackage } from './packages.ts'
import { billOfMaterials } from './sbom.ts'
import { hostTarget, TARGETS } from './targets.ts'
import { watchFiles } from './tree.ts'

/*
 * `bun run release`: the executable for every system, each in an archive with nothing beside it; packages for Debian and
 * Fedora; alerts and dashboard; a bill of materials and the licences of what is inside; checksums. The same commit gives the same bytes.
 *
 *   --only linux-x64,linux-arm64   some systems
 *   --out FOLDER                   where it goes; it is emptied first. Default: dist/release
 *   --without-rpm                  needs no rpmbuild
 *   --version 0.2.0                of the packages; for tests of an upgrade
 *   --fast                         for tests: compresses quickly, and builds a folder with changes as well
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    out: { type: 'string', default: 'dist/release' },
    version: { type: 'string', default: version },
    'without-rpm': { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dir, '..')
const out = resolve(options.out)
const names = TARGETS.map(({ name }) => name)
const wanted = options.only?.split(',') ?? names
const unknown = wanted.filter(name => !names.includes(name))
if (unknown.length > 0) throw new Error(`There is no system ${unknown.join(', ')}; there are ${names.join(', ')}`)
if (!options.fast && git('status', '--porcelain') !== '') {
  throw new Error('This folder has changes that are in no commit. A release is made of a commit: commit them first')
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'waypost-release-'))
try {
  await release()
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function release(): Promise<void> {
  // The time of the commit, and not of the build, stands in every file.
  const epoch = Number(process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct'))
  const manual = manPage(new Date(epoch * 1000).toISOString().slice(0, 10))
  const builds = new Map<string, Built>()
  const builtFor = (name: string) => {
    const built = builds.get(name) ?? build(name, work)
    builds.set(name, built)
    return built
  }
  // Whatever is released, this machine's own is built as well: packages have what it prints.
  const native = builtFor(hostTarget)
  const licences = await thirdPartyLicences(native.contents)
  const made: string[] = []
  for (const { name, packages } of TARGETS.filter(({ name }) => wanted.includes(name))) {
    const { executable } = builtFor(name)
    const level = options.fast ? 1 : 6
    made.push(archive(name, executable, { out, name: `waypost-${options.version}-${name}`, epoch, level }))
    if (!packages) continue
    const shared = { executable, native: native.executable, manual, licences, epoch, version: options.version, out }
    const workOf = (kind: string) => {
      const folder = join(work, `${name}-${kind}`)
      mkdirSync(folder)
      return { work: folder, isFast: options.fast }
    }
    made.push(debianPackage({ ...shared, ...workOf('deb'), architecture: packages.debian }))
    if (options['without-rpm']) continue
    made.push(rpmPackage({ ...shared, ...workOf('rpm'), architecture: packages.rpm }))
  }
  for (const path of watchFiles) {
    const released = join(out, basename(path))
    copyFileSync(path, released)
    made.push(released)
  }
  const licencesPath = join(out, 'THIRD_PARTY_LICENSES')
  await Bun.write(licencesPath, licences)
  const bill = join(out, 'waypost.cdx.json')
  await Bun.write(bill, await billOfMaterials(native.contents, options.version, epoch))
  const sums = await Promise.all([...made, licencesPath, bill].map(sumOf))
  await Bun.write(join(out, 'checksums.txt'), sums.join(''))
  process.stdout.write(sums.join(''))
}

/** @returns a line as `sha256sum --check` reads it */
async function sumOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes())
  return `${hasher.digest('hex')}  ${basename(path)}\n`
}

function git(...args: readonly string[]): string {
  return run(['git', ...args], { cwd: root }).trim()
}
