import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { accepted, advisories, affecting, lockedPackages, notAccepted, readReport } from '../../packaging/audit.ts'

const lock = await Bun.file(join(import.meta.dir, '../../bun.lock')).text()
const installed = lockedPackages(lock)

describe('the dependencies', () => {
  test('are all read from the lock file', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(installed).toContainEqual({ name, version })
    }
    expect(installed.length).toBeGreaterThan(300)
  })

  test('fall under no known vulnerability that nobody has accepted', () => {
    expect(notAccepted(affecting(installed, advisories))).toEqual([])
  })

  test('still need each acceptance', () => {
    const ids = affecting(installed, advisories).map(({ id }) => id)
    expect(accepted.filter(({ id }) => !ids.includes(id))).toEqual([])
  })
})

describe('a vulnerability', () => {
  const advisory = { id: 'GHSA-1', package: 'elysia', vulnerable: '>=1.4.0 <1.4.26', title: 'ReDoS' }

  test.each([
    ['1.4.25', true],
    ['1.4.0', true],
    ['1.4.26', false],
    ['1.3.9', false],
  ])('concerns elysia %s: %p', (version, isAffected) => {
    expect(affecting([{ name: 'elysia', version }], [advisory])).toEqual(isAffected ? [advisory] : [])
    expect(affecting([{ name: 'elysia-other', version }], [advisory])).toEqual([])
  })

  test('is found in any of the copies of a package', () => {
    const text = `    "a": ["elysia@1.4.30", "", {}],\n    "b/a": ["elysia@1.4.3", "", {}],\n    "@x/y": ["@x/y@2.0.0-rc.1", "", {}],\n`
    expect(lockedPackages(text).map(({ name, version }) => `${name} ${version}`)).toEqual([
      'elysia 1.4.30',
      'elysia 1.4.3',
      '@x/y 2.0.0-rc.1',
    ])
    expect(affecting(lockedPackages(text), [advisory])).toEqual([advisory])
  })
})

describe("the registry's answer", () => {
  test('is read as it is', () => {
    const entry = {
      id: 1,
      url: 'https://github.com/advisories/GHSA-1',
      title: 'Bad',
      severity: 'high',
      vulnerable_versions: '<2',
    }
    expect(readReport(JSON.stringify({ ms: [entry] }))).toEqual([
      { id: 'GHSA-1', package: 'ms', vulnerable: '<2', title: 'Bad' },
    ])
    expect(readReport('{}')).toEqual([])
  })

  test.each(['', 'error: POST https://registry - 405', 'null', '{"error":"not found"}'])(
    'that is none is told from one: %p',
    output => {
      expect(readReport(output)).toBeNull()
    },
  )
})
