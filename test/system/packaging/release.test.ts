import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { eventually } from '../../eventually.ts'
import { testFolder } from '../../folder.ts'
import { freePort } from '../../freePort.ts'
import { file, linuxX64, needs, program, run } from '../../programs.ts'
import { hungAfterMs } from '../../timeLimit.ts'

setDefaultTimeout(10 * hungAfterMs)

const { version } = manifest
const within = testFolder('release-test')

const script = join(import.meta.dir, '../../../packaging/release.ts')
const hasRpm = Bun.which('rpmbuild') !== null
/** As a release is made, but compressed quickly: the tests look at what is inside. */
async function release(out: string, ...args: readonly string[]): Promise<string> {
  const path = within(out)
  const command = [process.execPath, script, '--fast', '--only', 'linux-x64', '--out', path, ...args]
  const withRpm = hasRpm && !args.includes('--without-rpm')
  const { code, stderr } = await run([...command, ...(hasRpm ? [] : ['--without-rpm'])], {
    // A copy of the source without its history has no commit to take the time from.
    env: { SOURCE_DATE_EPOCH: '1700000000' },
  })
  const ofSystem = ['the executable', 'its archive', 'its .deb', ...(withRpm ? ['its .rpm'] : [])]
  const steps = [...ofSystem.map(step => `linux-x64: ${step}`), 'the clients']
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: steps.map((step, at) => `${at + 1} of ${steps.length}  ${step}\n`).join(''),
  })
  return path
}

/** Every file of a release is in its list of sums, which are right. */
async function expectSums(path: string): Promise<void> {
  expect(await run(['sha256sum', '--check', '--strict', '--quiet', 'checksums.txt'], { cwd: path })).toMatchObject({
    code: 0,
  })
  const sums = await Bun.file(join(path, 'checksums.txt')).text()
  expect(sums.trim().split('\n')).toHaveLength(readdirSync(path).length - 1)
}

/** In processes of their own, which all end with the first of them. Takes a folder, a script and files beside it. */
const inSystemCopy = [
  ...['unshare', '--mount', '--pid', '--fork', '--kill-child'],
  ...['sh', join(import.meta.dir, 'systemCopy.sh')],
]

/** It needs root, and more rights than a root of most containers has. */
function canCopySystem(): boolean {
  if (process.platform !== 'linux' || Bun.which('unshare') === null) return false
  const folder = mkdtempSync(join(tmpdir(), 'waypost-probe-'))
  try {
    const copy = join(folder, 'copy')
    const script = join(folder, 'probe.sh')
    mkdirSync(copy)
    writeFileSync(script, 'exit 0\n')
    return Bun.spawnSync([...inSystemCopy, copy, script], { stdin: 'ignore', timeout: hungAfterMs }).success
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('before anything is built', () => {
  /** A release where no other program is installed. */
  async function refused(...args: readonly string[]): Promise<string> {
    const out = within('refused')
    const ended = await run([process.execPath, script, '--out', out, ...args], { env: { PATH: within() } })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).not.toContain('    at ')
    expect(existsSync(out)).toBe(false)
    return ended.stderr
  }

  test('all programs that are missing are named at once, with the options that need fewer', async () => {
    const said = await refused()
    expect(said).toContain('needs git, tar, gzip, zip, dpkg-deb, rpmbuild, not installed here')
    expect(said).toMatch(/--only .*--without-rpm/)
    expect(await refused('--only', 'linux-x64-musl')).toContain('needs git, tar, gzip, zip, not installed here')
    expect(await refused('--only', 'linux-x64', '--without-rpm')).toContain('git, tar, gzip, dpkg-deb, zip, not')
  })

  test('a system or an option that there is not is named', async () => {
    expect(await refused('--only', 'linux-x86')).toContain('There is no system linux-x86; there are linux-x64, ')
    expect(await refused('--onyl', 'linux-x64')).toContain("'--onyl'")
  })
})

const released = needs('a release', linuxX64, program('dpkg-deb'), program('tar'))
describe.skipIf(released.isMissing)(released.name, () => {
  let one = ''
  beforeAll(async () => {
    one = await release('one')
  })

  test('has the executable alone in its archive, a bill of materials, a package, and sums that are right', async () => {
    expect(readdirSync(one)).toEqual(
      expect.arrayContaining([
        `waypost-${version}-linux-x64.tar.gz`,
        'waypost.cdx.json',
        'waypost.rules.yml',
        'waypost.json',
        'THIRD_PARTY_LICENSES',
        `waypost_${version}_amd64.deb`,
        `waypost-client-${version}.tgz`,
        `waypost_client-${version}-py3-none-any.whl`,
        'checksums.txt',
      ]),
    )
    const listed = await run(['tar', '-tvf', join(one, `waypost-${version}-linux-x64.tar.gz`)])
    expect(listed.stdout.trim().split('\n')).toEqual([expect.stringMatching(/^-rwxr-xr-x 0\/0 .* waypost$/)])
    await expectSums(one)
  })

  test('a part of a release has its sums as well', async () => {
    const part = await laterRelease()
    expect(readdirSync(part).filter(name => name.endsWith('.rpm'))).toEqual([])
    await expectSums(part)
  })

  test('is the same to the byte when the same commit is built again', async () => {
    const two = await release('two')
    const [sums, again] = await Promise.all([one, two].map(out => Bun.file(join(out, 'checksums.txt')).text()))
    expect(again).toBe(sums ?? '')
    rmSync(two, { recursive: true })
  })

  test('its bill of materials names what is inside, the runtime too, each with its licence', async () => {
    const bill = (await Bun.file(join(one, 'waypost.cdx.json')).json()) as {
      bomFormat: string
      components: { name: string; purl: string; licenses: { expression: string }[] }[]
    }
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = bill.components.map(({ name }) => name)
    // Of memoirist, Elysia's router, our own package.json says nothing.
    for (const name of [...Object.keys(manifest.dependencies), 'bun', 'memoirist']) expect(names).toContain(name)
    for (const name of Object.keys(manifest.devDependencies)) expect(names).not.toContain(name)
    for (const { licenses } of bill.components) expect(licenses).toEqual([{ expression: expect.stringMatching(/\w/) }])
    expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(bill.components.length)
  })

  test('it tells the licence of each package that is inside, with its text, in the package too', async () => {
    const licences = await Bun.file(join(one, 'THIRD_PARTY_LICENSES')).text()
    const { components } = (await Bun.file(join(one, 'waypost.cdx.json')).json()) as {
      components: { name: string; version: string; licenses: [{ expression: string }] }[]
    }
    for (const { name, version, licenses } of components.filter(({ name }) => name !== 'bun')) {
      expect(licences).toContain(`\n${name} ${version} (${licenses[0].expression})\n`)
    }
    // Inside the script of the API reference, which comes bundled.
    expect(licences).toMatch(/^@vue\/shared \S+ \(MIT\)$/m)
    expect(licences).toContain(`Bun ${Bun.version}`)
    const { stdout } = await run(['dpkg-deb', '--fsys-tarfile', join(one, `waypost_${version}_amd64.deb`)])
    expect(stdout).toContain(licences.slice(0, 10_000))
  })

  test('its package brings alerts and dashboard along, readable for all', async () => {
    const { stdout } = await run(['dpkg-deb', '--contents', join(one, `waypost_${version}_amd64.deb`)])
    for (const name of ['prometheus/waypost.rules.yml', 'grafana/waypost.json']) {
      expect(stdout).toMatch(new RegExp(`^-rw-r--r-- root/root .* \\./usr/share/waypost/${name}$`, 'm'))
    }
  })

  const rpm = needs('has an rpm with the same files, whose settings are kept', program('rpmbuild'), program('rpm'))
  test.skipIf(rpm.isMissing)(rpm.name, async () => {
    const path = join(one, `waypost-${version}-1.x86_64.rpm`)
    const query = async (...args: string[]) => (await run(['rpm', '-qp', ...args, path])).stdout.trim().split('\n')
    const { stdout } = await run(['dpkg-deb', '--contents', join(one, `waypost_${version}_amd64.deb`)])
    const inDebian = stdout
      .split('\n')
      .filter(line => line.startsWith('-'))
      .map(line => line.slice(line.indexOf('./') + 1))
      .map(name => name.replace('/zsh/vendor-completions/', '/zsh/site-functions/'))
    expect(await query('-l')).toEqual(['/etc/waypost', ...inDebian].sort())
    expect(await query('--configfiles')).toEqual(['/etc/waypost/waypost.env'])
    const requirements = (await query('--requires')).filter(name => !name.startsWith('rpmlib('))
    expect(requirements).toEqual(expect.arrayContaining(['glibc >= 2.17', 'shadow-utils']))
  })

  /** A package of a later version, made once. */
  let later: Promise<string> | undefined
  function laterRelease(): Promise<string> {
    later ??= release('next', '--version', '999.0.0', '--without-rpm')
    return later
  }

  /** Both packages are used in a copy of this system that lives as long as the test: the system does not change. */
  async function runInCopy(script: string) {
    const copy = within(`copy-${script}`)
    mkdirSync(copy)
    const next = await laterRelease()
    const packages = [join(one, `waypost_${version}_amd64.deb`), join(next, 'waypost_999.0.0_amd64.deb')]
    const scripts = [script, 'notifySocket.py'].map(name => join(import.meta.dir, name))
    const { code, stdout, stderr } = await run([...inSystemCopy, copy, ...scripts, ...packages], {
      env: { PORT: String(freePort()), SANDBOX_PORT: String(freePort()) },
    })
    expect({ code, end: `${stdout}${stderr}`.slice(-2_000) }).toEqual({
      code: 0,
      end: expect.stringMatching(/All steps done\.\n$/),
    })
  }
  const copied = ['a system that can be copied by overlay', canCopySystem()] as const

  const installed = needs(
    'its .deb is installed, started, upgraded with data and settings kept, removed, and installed again',
    copied,
    program('setpriv'),
    program('python3'),
  )
  test.skipIf(installed.isMissing)(installed.name, () => runInCopy('installed.sh'))

  const lived = needs(
    'an installation is set up by the documents, backed up, killed, restored elsewhere, upgraded, set back and removed',
    copied,
    program('setpriv'),
    program('python3'),
    program('curl'),
  )
  test.skipIf(lived.isMissing)(lived.name, () => runInCopy('life.sh'))
})

const arm64 = needs(
  'the executable for arm64 starts, emulated',
  program('qemu-aarch64'),
  file('/usr/aarch64-linux-gnu/lib/libc.so.6'),
)
test.skipIf(arm64.isMissing)(arm64.name, async () => {
  const executable = within('arm64/waypost')
  if (!(await buildFor('linux-arm64', executable))) return
  const started = await run(['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', executable, 'version', '--json'])
  expect(JSON.parse(started.stdout)).toMatchObject({ version })
})

const muslLoader = '/lib/ld-musl-x86_64.so.1'
const cppLibraries = ['libstdc++.so.6', 'libgcc_s.so.1'].map(name => `/usr/lib/x86_64-linux-gnu/${name}`)
const musl = needs(
  'the executable for musl starts and serves, under the loader of musl',
  linuxX64,
  file(muslLoader),
  ...cppLibraries.map(file),
  program('gcc'),
)
test.skipIf(musl.isMissing)(musl.name, async () => {
  const home = within('musl')
  const executable = join(home, 'waypost')
  if (!(await buildFor('linux-x64-musl', executable))) return
  // Debian has no C++ library for musl. Its own one runs with what it misses, under the name of the loader it asks for.
  const libraries = join(home, 'lib')
  mkdirSync(libraries)
  for (const path of cppLibraries) copyFileSync(path, join(libraries, basename(path)))
  const bridge = ['-o', join(libraries, 'ld-linux-x86-64.so.2'), join(import.meta.dir, 'muslBridge.c')]
  expect(await run(['gcc', '-shared', '-fPIC', '-nostdlib', ...bridge])).toMatchObject({ code: 0 })
  const env = { LD_LIBRARY_PATH: libraries, DATA_DIR: join(home, 'data') }

  const started = await run([executable, 'version', '--json'], { env })
  expect(JSON.parse(started.stdout)).toMatchObject({ version })

  const port = String(freePort())
  const serving = Bun.spawn([executable, 'serve'], { env: { ...process.env, ...env, PORT: port }, stdout: 'ignore' })
  try {
    await eventually(async () => {
      expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({ status: 'ready' })
    })
  } finally {
    serving.kill()
  }
  expect(await serving.exited).toBe(0)
})

/** @returns false when the runtime of that system cannot be fetched here */
async function buildFor(target: string, executable: string): Promise<boolean> {
  const args = [`--target=bun-${target}`, '--outfile', executable]
  const built = await run([process.execPath, 'run', 'build', ...args], { cwd: join(import.meta.dir, '../../..') })
  const isUnreachable = built.code !== 0 && /download|registry/i.test(built.stderr)
  if (isUnreachable)
    console.warn(`Not tested: the runtime for ${target} could not be fetched. ${built.stderr.slice(-500)}`)
  else expect(built.code).toBe(0)
  return !isUnreachable
}
