import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/config.ts'
import { misnamedSettings, type SettingName, settingNames, settings } from '../../src/config/settings.ts'

test('every setting that is read is listed, and every one that is listed is read', () => {
  const read = new Set<string>()
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name) => void read.add(String(name)) })
  loadConfig(environment)
  // systemd and sudo set these: they are no settings of ours.
  for (const name of ['NOTIFY_SOCKET', 'SUDO_USER']) read.delete(name)
  expect([...read].sort()).toEqual(settingNames.toSorted())
})

describe('the table of settings in the documentation', () => {
  const rows = readFileSync(join(import.meta.dir, '../../docs/settings.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, names = '', defaults = '']) => ({ names: names.match(/(?<=`)[A-Z0-9_]+(?=`)/g) ?? [], defaults }))

  test('has every one of them', () => {
    expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(settingNames.toSorted())
  })

  test('has the default of each that has a value for one', () => {
    const documented = rows.flatMap(({ names, defaults }) => {
      const values = defaults.split(', ')
      return values.length === names.length ? names.map((name, at) => [name, values[at]] as const) : []
    })
    const values = documented.filter(([, value]) => /^`[^$`]+`$/.test(value ?? ''))
    expect(values.length).toBeGreaterThan(15)
    expect(values).toEqual(values.map(([name]) => [name, `\`${settings[name as SettingName][0]}\``] as const))
  })
})

describe('a name that is nearly right is found', () => {
  const rows: [given: string, meant: SettingName][] = [
    ['CHANEL_API_URL', 'CHANNEL_API_URL'],
    ['PUBLIC_API_KEY_RATELIMIT', 'PUBLIC_API_KEY_RATE_LIMIT'],
    ['CHANNEL_URL_API', 'CHANNEL_API_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['data_dir', 'DATA_DIR'],
    ['WAYPOST_PORT', 'PORT'],
    ['host', 'HOST'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['BACKUP_DIRECTORY', 'BACKUP_DIR'],
    ['PUBLIC_KEY_RATE_LIMIT', 'PUBLIC_API_KEY_RATE_LIMIT'],
    ['MEDIA_S3_ACCESS_KEY', 'MEDIA_S3_ACCESS_KEY_ID'],
  ]

  test.each(rows)('%s', (given, meant) => {
    expect(misnamedSettings({ [given]: 'x' })).toEqual([{ given, meant }])
  })
})

describe('what other programs use is not taken for a setting', () => {
  const others = [
    'HOME',
    'HOSTS',
    'POST',
    'SECRET_KEY_BASE',
    'REDIS_URL',
    'LOG_FILE',
    'HTTP_PROXY',
    'DATABASE_PASSWORD',
    'BACKUP_PATH',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'S3_ACCESS_KEY_ID',
    'HOSTNAME',
    'PWD',
    'GRAPHITE_API',
    'GRAPH_APP',
    'DATA_PATH',
    'BACKUP_KEY',
    'TRUSTED_PROXIES',
  ]
  test.each(others)('%s', name => {
    expect(misnamedSettings({ [name]: 'x' })).toEqual([])
  })

  test('nor is an empty one, a right one, or a second one beside the right one', () => {
    expect(misnamedSettings({ CHANEL_API_URL: ' ' })).toEqual([])
    expect(misnamedSettings({ CHANNEL_API_URL: 'http://a' })).toEqual([])
    expect(misnamedSettings({ CHANNEL_API_URL: 'http://a', CHANEL_API_URL: 'http://b' })).toEqual([])
  })
})
