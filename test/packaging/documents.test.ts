import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { manPage } from '../../packaging/manPage.ts'
import { settingNames } from '../../src/config/settings.ts'
import { testFolder } from '../folder.ts'
import { needs, program, run } from '../programs.ts'

const within = testFolder('manual')

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8')

const page = await manPage('2026-01-31')

describe('the man page', () => {
  test('has every command and every setting, and no line that the formatter would misread', () => {
    const lines = page.split('\n')
    const terms = lines.filter(line => line.startsWith('.B ')).map(line => line.slice('.B '.length))
    const commands = ['serve [options]', 'key create [options]', 'message resolve [message] [options]']
    expect(terms).toEqual(expect.arrayContaining([...commands.map(words => `waypost ${words}`), ...settingNames]))
    expect(lines.filter(line => /^[.'](?!TH |SH |TP$|B |I |RS$|RE$)/.test(line))).toEqual([])
  })

  const formatted = needs('is formatted without a warning', program('groff'))
  test.skipIf(formatted.isMissing)(formatted.name, async () => {
    await Bun.write(within('waypost.1'), page)
    const shown = await run(['groff', '-man', '-Tutf8', '-ww', '-z', 'waypost.1'], { cwd: within() })
    expect(shown).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

test('the unit never forbids writable code, which would turn off the compiler of the runtime', () => {
  const unit = read('packaging/files/waypost.service')
  expect(unit).toMatch(/^Type=notify$/m)
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m)
})

test('the unit starts the service again however often it failed', () => {
  const [section = ''] = read('packaging/files/waypost.service').split('[Service]')
  expect(section).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('the unit and the image tell the collector of memory of the same amount', () => {
  const told = (path: string) => /BUN_JSC_forceRAMSize=(\d+)$/m.exec(read(path))?.[1]
  expect([told('packaging/files/waypost.service'), told('Dockerfile')]).toEqual(['268435456', '268435456'])
  expect(read('docs/operate.md')).toContain('BUN_JSC_forceRAMSize=268435456')
})

test('the unit lets the service write to its own folder alone, and gain no rights', () => {
  const unit = read('packaging/files/waypost.service')
  const folders = /^(StateDirectory|ReadWritePaths|RuntimeDirectory|CacheDirectory|LogsDirectory)=(.*)$/gm
  expect([...unit.matchAll(folders)].map(([line]) => line)).toEqual(['StateDirectory=waypost'])
  const kept = [
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'User=waypost',
  ]
  expect(unit.split('\n')).toEqual(expect.arrayContaining(kept))
})

test('the container has no root, no shell, brings alerts and dashboard, is told its commit, and asks the gateway for its health', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toContain(`FROM oven/bun:${manifest.packageManager.replace('bun@', '')} AS build`)
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'))
  expect(final).toMatch(/^FROM gcr\.io\/distroless\/\S+:nonroot$/m)
  expect(final).toContain('CMD ["/usr/bin/waypost", "health"]')
  expect(final).not.toMatch(/^(USER root|RUN)/m)
  for (const folder of ['prometheus', 'grafana']) expect(final).toContain(`${folder} /usr/share/waypost/${folder}`)
  for (const name of ['WAYPOST_COMMIT', 'WAYPOST_COMMIT_DATE']) {
    expect(dockerfile).toMatch(new RegExp(`^ARG.* ${name}=`, 'm'))
    // Else the history of the folder says it, of which an image has none.
    expect(manifest.scripts.build).toContain(`\${${name}:-$(`)
  }
})
