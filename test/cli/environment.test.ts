import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { addEnvironmentOptions, type Service, surroundingsOf } from '../../src/cli/environment.ts'
import { UsageError } from '../../src/cli/failure.ts'
import { Deployment, expectRefusal, firstLine } from './waypost.ts'

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

/** Nothing in the environment but what the test puts there. */
const unset = { DATA_DIR: '' }

describe('--data-dir', () => {
  test('is where every command looks, before and after its name, and counts more than DATA_DIR', async () => {
    const elsewhere = deployment.path('elsewhere')
    await deployment.json(['workspace', 'create', '--name', 'Acme', '--data-dir', elsewhere])
    expect(existsSync(deployment.dataDir)).toBe(false)
    expect(await deployment.json(['--data-dir', elsewhere, 'workspace', 'list'])).toMatchObject([{ name: 'Acme' }])
  })

  test('serve takes it', async () => {
    const elsewhere = deployment.path('elsewhere')
    const child = deployment.spawn(['serve', '--json', '--data-dir', elsewhere], { env: { PORT: '0' } })
    expect(JSON.parse(await firstLine(child.stdout))).toMatchObject({ dataDir: elsewhere })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

describe('--env-file', () => {
  test('gives settings; what the environment sets counts more', async () => {
    const file = deployment.path('waypost.env')
    writeFileSync(file, `# of the shop\nDATA_DIR="${deployment.path('of file')}"\nLOG_LEVEL=loud\n`)
    const bad = await deployment.run(['workspace', 'create', '--name', 'Acme', '--env-file', file], { env: unset })
    expectRefusal(bad, 1, 'LOG_LEVEL must be')
    await deployment.json(['workspace', 'create', '--name', 'Acme', '--env-file', file], {
      env: { DATA_DIR: deployment.path('of environment'), LOG_LEVEL: 'info' },
    })
    expect(existsSync(deployment.path('of environment/waypost.db'))).toBe(true)
    expect(existsSync(deployment.path('of file'))).toBe(false)
    writeFileSync(file, `DATA_DIR=${deployment.path('of file')}\n`)
    await deployment.json(['workspace', 'create', '--name', 'Acme', '--env-file', file], { env: unset })
    expect(existsSync(deployment.path('of file/waypost.db'))).toBe(true)
  })

  test('is read as systemd reads it: what stands behind a value is a part of it, also for a command', async () => {
    const file = deployment.path('waypost.env')
    writeFileSync(file, '# the usual port\nPORT=8080 # of the proxy\n')
    const ended = await deployment.run(['workspace', 'list', '--env-file', file])
    expectRefusal(ended, 1, 'PORT must be a whole number from 0 to 65535: a comment has a line of its own')
  })

  test('a file that is not there is named', async () => {
    const ended = await deployment.run(['workspace', 'list', '--env-file', 'none.env'])
    expectRefusal(ended, 1, 'The file of --env-file cannot be read')
    expect(ended.stderr).toContain('none.env')
  })
})

describe('beside an installed service', () => {
  const serviceWith = (lines: string) => {
    const settingsFile = deployment.path('service.env')
    writeFileSync(settingsFile, lines)
    return { settingsFile, unit: { DATA_DIR: '/var/lib/unit' } }
  }
  const surroundings = (service: Service, argv: readonly string[] = [], environment = {}) => {
    const program = addEnvironmentOptions(new Command())
    program.parse(argv, { from: 'user' })
    return surroundingsOf(program, environment, service)
  }

  test('its settings are found where nothing names a place, and what the environment sets counts more', () => {
    const service = serviceWith('PORT=9999\nLOG_LEVEL=debug\n')
    const { environment, checkPlace } = surroundings(service, [], { LOG_LEVEL: 'error' })
    expect(environment()).toEqual({ DATA_DIR: '/var/lib/unit', PORT: '9999', LOG_LEVEL: 'error' })
    expect(checkPlace).not.toThrow()
    const moved = serviceWith('DATA_DIR=/srv/moved\n')
    expect(surroundings(moved).environment()).toEqual({ DATA_DIR: '/srv/moved' })
  })

  test('an empty value in its settings hides nothing, and its settings may be named', () => {
    const service = serviceWith('DATA_DIR=\nDATABASE_URL=""\nPORT=9999\n')
    const settings = { DATA_DIR: '/var/lib/unit', PORT: '9999' }
    expect(surroundings(service).environment()).toEqual(settings)
    expect(surroundings(service, ['--env-file', service.settingsFile]).environment()).toEqual(settings)
  })

  test('a place that an option or the environment names is another deployment, which gets nothing of its settings', () => {
    const service = serviceWith('DATABASE_URL=postgres://db.example/real\n')
    const own = deployment.path('own.env')
    writeFileSync(own, 'PORT=1\n')
    expect(surroundings(service, ['--data-dir', '/srv/own']).environment()).toEqual({ DATA_DIR: '/srv/own' })
    expect(surroundings(service, ['--env-file', own]).environment()).toEqual({ PORT: '1' })
    for (const name of ['DATA_DIR', 'DATABASE_PATH', 'DATABASE_URL']) {
      expect(surroundings(service, [], { [name]: 'own' }).environment()).toEqual({ [name]: 'own' })
    }
  })

  test('no database is made in the folder where one is, by a user who cannot read its settings', () => {
    const unreadable = { ...serviceWith(''), settingsFile: deployment.folder }
    expect(surroundings(unreadable).environment()).toEqual({})
    expect(surroundings(unreadable).checkPlace).toThrow(/sudo -u waypost waypost .*--data-dir/)
    expect(surroundings(unreadable, ['--data-dir', '/srv/own']).checkPlace).not.toThrow()
    const none = { ...unreadable, settingsFile: deployment.path('none') }
    expect(surroundings(none).checkPlace).not.toThrow()
    // Who names a file of settings means another deployment, and can read it.
    const own = deployment.path('own.env')
    writeFileSync(own, 'PORT=1\n')
    expect(surroundings(unreadable, ['--env-file', own]).checkPlace).not.toThrow()
  })

  describe('in a folder with a database of its own', () => {
    const former = process.cwd()
    beforeEach(() => {
      process.chdir(deployment.folder)
      mkdirSync(deployment.dataDir)
      writeFileSync(deployment.databasePath, '')
    })
    afterEach(() => process.chdir(former))

    test('a command that names none is refused with both, and with what to type for each', () => {
      const service = serviceWith('PORT=9999\n')
      const { checkPlace } = surroundings(service)
      expect(checkPlace).toThrow(UsageError)
      for (const named of [
        '/var/lib/unit/waypost.db',
        deployment.databasePath,
        `--env-file ${service.settingsFile}`,
        `--data-dir ${deployment.dataDir}`,
      ]) {
        expect(checkPlace).toThrow(named)
      }
      const server = serviceWith('DATABASE_URL=postgres://ada:hunter2@db.example/messages\n')
      expect(surroundings(server).checkPlace).toThrow(/db\.example(?!.*hunter2)/)
    })

    test('one that names either is not, nor where both are the same, or the service is out of reach', () => {
      const service = serviceWith('PORT=9999\n')
      const { settingsFile } = service
      const same = { settingsFile, unit: { DATA_DIR: deployment.dataDir } }
      const unreadable = { ...service, settingsFile: deployment.folder }
      for (const { checkPlace } of [
        surroundings(service, ['--data-dir', deployment.dataDir]),
        surroundings(service, ['--env-file', settingsFile]),
        surroundings(service, [], { DATA_DIR: deployment.dataDir }),
        surroundings(same),
        surroundings(unreadable),
      ]) {
        expect(checkPlace).not.toThrow()
      }
    })
  })
})

test('workspace create says which database it has made, and serve logs it', async () => {
  const created = await deployment.run(['workspace', 'create', '--name', 'Acme'])
  expect(created.stdout).toContain(deployment.databasePath)
  const again = await deployment.run(['workspace', 'create', '--name', 'Other'])
  expect(again.stdout).not.toContain(deployment.databasePath)
  for (const isNew of [true, false]) {
    const dataDir = deployment.path('served')
    const child = deployment.spawn(['serve', '--json', '--data-dir', dataDir], { env: { PORT: '0' } })
    await firstLine(child.stdout)
    child.kill('SIGTERM')
    const logged = (await child.stderr.text()).includes(
      `"database":"${dataDir}/waypost.db","msg":"a new database was made"`,
    )
    expect(logged).toBe(isNew)
  }
})

test('no command but serve and workspace create makes a database; each says where it looked', async () => {
  const commands = [
    ['workspace', 'list'],
    ['message', 'list', '--workspace', 'ws_1'],
    ['message', 'show', 'msg_1'],
    ['channel', 'list'],
    ['user', 'list'],
    ['key', 'create', '--workspace', 'ws_1'],
    ['contact', 'add', '--workspace', 'ws_1', '--phone', '+15550100200'],
    ['doctor'],
  ]
  const ended = await Promise.all(commands.map(args => deployment.run(args)))
  for (const [at, { stdout, stderr }] of ended.entries()) {
    expect({ command: commands[at], says: stdout + stderr }).toEqual({
      command: commands[at],
      says: expect.stringContaining(deployment.databasePath),
    })
  }
  expectRefusal(ended[0], 1, 'There is no database at')
  expect(existsSync(deployment.dataDir)).toBe(false)
})

describe('a name that is nearly a setting’s', () => {
  const env = { CHANEL_API_URL: 'http://127.0.0.1:8090', PUBLIC_API_KEY_RATELIMIT: '5' }

  test('is warned of on stderr, and stdout stays one document', async () => {
    await deployment.withStore(async () => {})
    const { code, stdout, stderr } = await deployment.run(['workspace', 'list', '--json'], { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' })
    expect(stderr).toContain('CHANEL_API_URL is not a setting and is ignored. Did you mean CHANNEL_API_URL?')
    expect(stderr).toContain('PUBLIC_API_KEY_RATELIMIT is not a setting')
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
  })

  test('is also found in the file of --env-file, and is a finding of doctor', async () => {
    const file = deployment.path('waypost.env')
    await deployment.withStore(async () => {})
    writeFileSync(file, 'CHANEL_API_URL=http://127.0.0.1:8090\n')
    const { code, stdout } = await deployment.run(['doctor', '--json', '--env-file', file])
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] }
    expect(code).toBe(1)
    expect(checks.find(({ name }) => name === 'settings')).toMatchObject({
      ok: false,
      message: expect.stringContaining('CHANEL_API_URL'),
    })
  })
})

test('serve --help names every setting with its default', async () => {
  const { stdout } = await deployment.run(['serve', '--help'])
  expect(stdout).toMatch(/^ {2}CHANNEL_API_URL .*\(default: https:\/\/graph\.facebook\.com\)$/m)
  expect(stdout).toMatch(/^ {2}PUBLIC_URL .*\(default: none\)$/m)
})

test('version tells commit, date and schema', async () => {
  expect(await deployment.json(['version'])).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.stringMatching(/^[\da-f]{40}$/),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    schema: expect.stringMatching(/^\d{4}_\w+$/),
    bun: Bun.version,
  })
})
