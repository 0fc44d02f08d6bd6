import { describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import pino from 'pino'
import { DatabaseUrl, DatabaseUrlError } from '../../src/config/databaseUrl.ts'

const secret = 'hunter2hunter2'

describe('an address', () => {
  test('has the port and the mode of TLS that it names, else 5432 and none', () => {
    const short = new DatabaseUrl(`postgres://waypost:${secret}@db.example/messages`)
    expect([short.host, short.port, short.database, short.sslMode, short.socketFolder]).toEqual([
      'db.example',
      5_432,
      'messages',
      'disable',
      null,
    ])
    const whole = new DatabaseUrl(
      `postgresql://waypost:${secret}@[fd00::1]:6432/messages?sslmode=verify-full&sslrootcert=/etc/ca.pem`,
    )
    expect([whole.host, whole.port, whole.sslMode, whole.caFile]).toEqual([
      'fd00::1',
      6_432,
      'verify-full',
      '/etc/ca.pem',
    ])
    expect(whole.place).toBe('the database messages on [fd00::1]:6432')
  })

  test('may be the Unix socket of this machine', () => {
    const url = new DatabaseUrl('postgres://waypost@localhost/messages?host=/run/postgresql')
    expect([url.socketFolder, url.isRemote, url.place]).toEqual([
      '/run/postgresql',
      false,
      'the database messages on /run/postgresql',
    ])
  })

  test('is connected to as it says, whatever the environment says: port, mode and database are always named', () => {
    const { driverOptions } = new DatabaseUrl(`postgres://waypost:${secret}@db.example/a%20b`)
    expect(driverOptions).toEqual({
      url: `postgres://waypost:${secret}@db.example:5432/a%20b?sslmode=disable`,
      database: 'a b',
    })
    const verified = new DatabaseUrl(`postgres://u:${secret}@db.example/a?application_name=x&sslmode=verify-ca`)
    expect(verified.driverOptions).toEqual({
      url: `postgres://u:${secret}@db.example:5432/a?application_name=x&sslmode=verify-ca`,
      database: 'a',
      tls: { rejectUnauthorized: true },
    })
  })
})

test.each([
  ['localhost', false],
  ['127.0.0.1', false],
  ['[::1]', false],
  ['db.localhost', false],
  ['10.0.0.7', true],
  ['db', true],
  ['localhost.example', true],
])('what goes to %s leaves this machine: %p', (host, isRemote) => {
  expect(new DatabaseUrl(`postgres://u@${host}/a`).isRemote).toBe(isRemote)
})

test('the password is shown by nothing that prints or logs the address', () => {
  const url = new DatabaseUrl(`postgres://waypost:${secret}@db.example/messages?sslpassword=${secret}`)
  const lines: string[] = []
  pino({ base: null }, { write: line => void lines.push(line) }).info({ url, config: { databaseUrl: url } }, `${url}`)
  const logged = lines.join('')
  expect(logged).toContain('db.example')
  for (const shown of [logged, String(url), JSON.stringify(url), inspect(url, { depth: 9, showHidden: true })]) {
    expect(shown).not.toContain(secret)
  }
  expect(Bun.inspect(url)).not.toContain(secret)
})

describe('a wrong address is refused by a rule that does not repeat it', () => {
  test.each([
    ['mysql://u:PW@db/a', 'must begin with postgres:// or postgresql://'],
    ['u:PW@db/a', 'must begin with postgres:// or postgresql://'],
    ['/var/lib/PW.db', 'must begin with postgres:// or postgresql://'],
    ['postgres://u:PW#1@db/a', 'percent-encoded'],
    ['postgres://u:1#PW@db/a', 'percent-encoded'],
    ['postgres://u:PW%@db/a', 'percent-encoded'],
    ['postgres://u:PW/1@db/a', 'must look like'],
    ['postgres://u:1/PW@db/a', 'must look like'],
    ['postgres://u:1?PW@db/a', 'names no user'],
    ['postgres://u:PW@one:5432,two:5432/a', 'must look like'],
    ['postgres://u:PW@%2Frun%2Fpostgresql/a', 'must look like'],
    ['postgres://u:PW@db:port/a', 'must look like'],
    ['postgres://:PW@db/a', 'names no user'],
    ['postgres://u:PW@db', 'names no database'],
    ['postgres://u:PW@db/', 'names no database'],
    ['postgres://u:PW@db/a/b', 'must look like'],
    ['postgres://u:PW@db/a?sslmode=prefer', 'sslmode that is not one of disable, require, verify-ca, verify-full'],
    ['postgres://u:PW@db/a?sslmode=PW', 'sslmode that is not one of'],
    ['postgres://u:PW@db/a?ssl=true', 'say sslmode=verify-full instead'],
    ['postgres://u:PW@db/a?sslmode=require&sslrootcert=/ca.pem', 'used with sslmode=verify-full or verify-ca only'],
    ['postgres://u@db/a?password=PW', 'has password behind the question mark'],
    ['postgres://u:PW@db/a?dbname=b', 'has dbname behind the question mark'],
    ['postgres://u:PW@db/a?host=other.example', 'not the folder of a Unix socket'],
  ])('%s', (text, rule) => {
    let error: unknown
    try {
      new DatabaseUrl(text.replaceAll('PW', secret))
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(DatabaseUrlError)
    expect(error).toHaveProperty('message', expect.stringContaining(rule))
    expect(error).toHaveProperty('message', expect.not.stringContaining(secret))
  })
})
