import { beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { freshFixture } from '../../fixture.ts'
import { Installation, refusal } from './installation.ts'

const installation = freshFixture(() => Installation.make())
let path: string
let key: string

/** A database whose secrets were sealed with the key file beside it. */
beforeEach(() => {
  path = installation.path('secret.key')
  key = readFileSync(path, 'utf8').trim()
})

function replace(content: string | Uint8Array): void {
  writeFileSync(path, content)
  chmodSync(path, 0o600)
}

const otherKey = 'x'.repeat(43)

const faults: readonly [name: string, spoil: () => void, env: Record<string, string>, says: RegExp][] = [
  ['an empty key file', () => replace(''), {}, /secret\.key holds no key.*backup/],
  ['a key file that was cut short', () => replace(key.slice(0, 10)), {}, /secret\.key holds no key.*backup/],
  ['a key file with other bytes', () => replace(new Uint8Array(64).fill(200)), {}, /not the one.*backup/],
  ['a key file that others can read', () => chmodSync(path, 0o644), {}, /can be read by others.*chmod 600/],
  [
    'a folder in place of the key file',
    () => {
      rmSync(path)
      mkdirSync(path, { mode: 0o700 })
    },
    {},
    /secret\.key cannot be read/,
  ],
  ['another key in the file', () => replace(otherKey), {}, /not the one.*Restore SECRET_KEY or the key file/],
  ['another key in SECRET_KEY', () => {}, { SECRET_KEY: otherKey }, /not the one.*Restore SECRET_KEY or the key file/],
  ['a SECRET_KEY too short to be one', () => {}, { SECRET_KEY: 'sesame' }, /SECRET_KEY must have at least/],
  [
    'a SECRET_KEY_FILE that is not there',
    () => {},
    { SECRET_KEY_FILE: '/nowhere/key' },
    /\/nowhere\/key cannot be read/,
  ],
]

describe.each(faults)('%s', (_, spoil, env, says) => {
  test('is refused with 1 and a sentence that shows no key; with the right key, sending goes on', async () => {
    const backup = installation.path('backup')
    copyFileSync(path, backup)
    spoil()

    const refused = await refusal(installation.start({ env }))

    expect(refused.code).toBe(1)
    expect(refused.says).toMatch(says)
    for (const secret of [key, key.slice(0, 10), otherKey, 'sesame', '    at '])
      expect(refused.says).not.toContain(secret)
    rmSync(path, { recursive: true })
    copyFileSync(backup, path)
    chmodSync(path, 0o600)
    const { url } = await installation.run()
    expect(await installation.send(url, 'order-1')).toMatchObject({ status: 201, state: 'SENT' })
  })
})

test('a key file that is gone is refused with 1, and no new one is put in its place: it would open nothing', async () => {
  rmSync(path)

  const { code, says } = await refusal(installation.start())

  expect(code).toBe(1)
  expect(says).toMatch(/Restore SECRET_KEY or the key file/)
  expect(existsSync(path)).toBe(false)
})
