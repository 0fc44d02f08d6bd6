import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { misnamedSettings, type SettingName, settingNames } from '../src/settings.ts'
import { hungAfterMs } from './timeLimit.ts'

setDefaultTimeout(hungAfterMs)

test('every setting that is read is listed, and every one that is listed is read', () => {
  const read = new Set<string>()
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name) => void read.add(String(name)) })
  loadConfig(environment)
  // systemd and sudo set these: they are no settings of ours.
  for (const name of ['NOTIFY_SOCKET', 'SUDO_USER']) read.delete(name)
  expect([...read].sort()).toEqual(settingNames.toSorted())
})

test('the table of settings in the documentation has every one of them', () => {
  const table = readFileSync(join(import.meta.dir, '../docs/settings.md'), 'utf8')
  const names = table
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => line.split('|')[1]?.match(/(?<=`)[A-Z0-9_]+(?=`)/g) ?? [])
  expect(names.toSorted()).toEqual(settingNames.toSorted())
})

describe('a name that is nearly right is found', () => {
  const rows: [given: string, meant: SettingName][] = [
    ['CHANEL_API_URL', 'CHANNEL_API_URL'],
    ['PUBLIC_API_KEY_RATELIMIT', 'PUBLIC_API_KEY_RATE_LIMIT'],
    ['CHANNEL_URL_API', 'CHANNEL_API_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['data_dir', 'DATA_DIR'],
    ['WAYPOST_PORT', 'PORT'],
    ['host', 'HOST'],
  ]

  test.each(rows)('%s', (given, meant) => {
    expect(misnamedSettings({ [given]: 'x' })).toEqual([{ given, meant }])
  })
})

describe('what other programs use is not taken for a setting', () => {
  const others = ['HOME', 'HOSTS', 'POST', 'SECRET_KEY_BASE', 'REDIS_URL', 'LOG_FILE', 'HTTP_PROXY', 'HOSTNAME', 'PWD']
  test.each(others)('%s', name => {
    expect(misnamedSettings({ [name]: 'x' })).toEqual([])
  })

  test('nor is an empty one, a right one, or a second one beside the right one', () => {
    expect(misnamedSettings({ CHANEL_API_URL: ' ' })).toEqual([])
    expect(misnamedSettings({ CHANNEL_API_URL: 'http://a' })).toEqual([])
    expect(misnamedSettings({ CHANNEL_API_URL: 'http://a', CHANEL_API_URL: 'http://b' })).toEqual([])
  })
})
