import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { openVault, readSecretKey, SecretKeyError } from '../../src/operations/secretKey.ts'
import { ManualClock } from '../clock.ts'
import { makeFolder, type TestFolder } from '../db/fixtures.ts'
import { openFile } from '../openFile.ts'
import { canMount, mountSmallDisk } from '../smallDisk.ts'

let folder: TestFolder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const read = (fields: { secretKey?: string; secretKeyFile?: string; dataDir?: string } = {}, isNeeded = false) =>
  readSecretKey({ secretKey: null, secretKeyFile: null, dataDir: folder.path, ...fields }, isNeeded)

function keyFile(content: string, mode = 0o600): string {
  const path = join(folder.path, 'given.key')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

describe('the key', () => {
  test('is SECRET_KEY when it is set; no file is made', () => {
    expect(read({ secretKey: 'from the environment' })).toBe('from the environment')
    expect(existsSync(join(folder.path, 'secret.key'))).toBe(false)
  })

  test('is made at the first start, readable by its owner alone, and is the same ever after', () => {
    const key = read()
    const path = join(folder.path, 'secret.key')
    expect(key).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8').trim()).toBe(key)
    expect(read()).toBe(key)
    expect(readdirSync(folder.path)).toEqual(['secret.key'])
  })

  test.skipIf(!canMount)('is whole or not there: a full disk leaves no empty file, and with room one is made', () => {
    const disk = mountSmallDisk(1_024)
    try {
      disk.fill(process.pid)
      expect(() => read({ dataDir: disk.folder })).toThrow(/cannot be made: .*no space/i)
      expect(readdirSync(disk.folder)).toEqual(['filler'])
      disk.free(process.pid)
      expect(read({ dataDir: disk.folder })).toBe(read({ dataDir: disk.folder }))
    } finally {
      disk.remove()
    }
  })

  test('is one, also when many processes start together', async () => {
    const program = `
      const { readSecretKey } = await import(${JSON.stringify(`${import.meta.dir}/../../src/operations/secretKey.ts`)})
      console.log(readSecretKey({ secretKey: null, secretKeyFile: null, dataDir: process.argv.at(-1) }))`
    const started = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, '-e', program, folder.path]))
    const keys = await Promise.all(started.map(({ stdout }) => stdout.text()))
    expect(new Set(keys)).toEqual(new Set([`${read()}\n`]))
  })

  test('is made together with the data folder', () => {
    const dataDir = join(folder.path, 'a', 'b')
    expect(read({ dataDir })).toBe(read({ dataDir }))
  })

  test('is what SECRET_KEY_FILE holds, without the line end', () => {
    expect(read({ secretKeyFile: keyFile('from the key file\n') })).toBe('from the key file')
    expect(existsSync(join(folder.path, 'secret.key'))).toBe(false)
  })

  test('may have sixteen characters, and not one less', () => {
    expect(read({ secretKeyFile: keyFile('0123456789abcdef') })).toBe('0123456789abcdef')
    expect(() => read({ secretKeyFile: keyFile('0123456789abcde') })).toThrow(SecretKeyError)
  })

  test('a SECRET_KEY_FILE that is not there is refused, never made', () => {
    const secretKeyFile = join(folder.path, 'absent.key')
    expect(() => read({ secretKeyFile })).toThrow(SecretKeyError)
    expect(() => read({ secretKeyFile })).toThrow(secretKeyFile)
    expect(existsSync(secretKeyFile)).toBe(false)
  })

  test.each([0o640, 0o604, 0o644, 0o660, 0o666, 0o610])('a file of mode %o is refused, with the remedy', mode => {
    const secretKeyFile = keyFile('from the key file', mode)
    expect(() => read({ secretKeyFile })).toThrow(`chmod 600 ${secretKeyFile}`)
  })

  test.skipIf(process.getuid?.() !== 0)('a file of somebody else is taken as it was handed out', () => {
    const secretKeyFile = keyFile('from the key file', 0o440)
    chownSync(secretKeyFile, 65_534, 65_534)
    expect(read({ secretKeyFile })).toBe('from the key file')
  })

  test.each(['', '\n', 'too short', '               \n'])('a file that holds no key is refused: %j', content => {
    const secretKeyFile = keyFile(content)
    expect(() => read({ secretKeyFile }, true)).toThrow(SecretKeyError)
    expect(() => read({ secretKeyFile }, true)).toThrow('backup')
    expect(() => read({ secretKeyFile })).toThrow(expect.not.stringContaining('backup'))
    expect(() => read({ secretKeyFile })).toThrow('Put one into it')
  })

  test('an emptied key file is refused, not replaced: another key would open nothing', () => {
    read()
    const path = join(folder.path, 'secret.key')
    writeFileSync(path, '')
    expect(() => read()).toThrow(SecretKeyError)
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  test('a folder in its place is refused with a sentence', () => {
    chmodSync(folder.path, 0o700)
    expect(() => read({ secretKeyFile: folder.path })).toThrow(SecretKeyError)
  })

  test('no message shows a key', () => {
    for (const act of [
      () => read({ secretKeyFile: keyFile('sesame') }),
      () => read({ secretKeyFile: keyFile('sesame', 0o644) }),
    ]) {
      expect(act).toThrow(expect.not.stringContaining('sesame'))
    }
  })
})

describe('the vault of a database', () => {
  let store: Store
  const open = () => openFile(folder.file, new ManualClock())
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('opens with the key that it was first opened with, also after a restart', async () => {
    const sealed = (await openVault(store, 'the first key of all')).seal('secret', 'p')
    await store.close()
    store = await open()
    expect((await openVault(store, 'the first key of all')).open(sealed, 'p')).toBe('secret')
  })

  test('refuses another key at the start, with the remedy, and stays good for the right one', async () => {
    await openVault(store, 'the first key of all')
    const refusal = await openVault(store, 'some other, wrong key').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SecretKeyError)
    expect(String(refusal)).toContain('Restore SECRET_KEY or the key file')
    expect(String(refusal)).not.toContain('wrong key')
    await openVault(store, 'the first key of all')
  })
})
