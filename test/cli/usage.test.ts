import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { buildProgram } from '../../src/cli/program.ts'
import { Deployment, type Ended, expectRefusal } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const runAll = (calls: readonly (readonly string[])[], on = deployment) => Promise.all(calls.map(args => on.run(args)))

describe('wrong use ends with 2, says what is wrong on stderr, and touches nothing', () => {
  const rows: [name: string, args: string[], says: string][] = [
    ['no command', [], 'Usage: waypost'],
    ['an unknown command', ['frobnicate'], "Unknown command 'frobnicate'"],
    ['a noun alone', ['workspace'], 'Usage: waypost workspace'],
    ['an unknown verb', ['workspace', 'frobnicate'], "Unknown command 'frobnicate'"],
    ['help of an unknown command', ['help', 'frobnicate'], "Unknown command 'frobnicate'"],
    ['help of an unknown verb', ['help', 'workspace', 'frobnicate'], "Unknown command 'frobnicate'"],
    ['an unknown option', ['workspace', 'list', '--colour'], "Unknown option '--colour'"],
    ['an argument too many', ['workspace', 'list', 'ws_1'], 'Too many arguments'],
    ['a missing option', ['workspace', 'create'], 'Missing: --name <name>'],
    ['a missing argument', ['line', 'activate'], 'Missing: <line>'],
    ['a name of nothing', ['workspace', 'create', '--name', '  '], '1 to 120 printable characters'],
    ['a name that steers the terminal', ['workspace', 'create', '--name', 'a\u001b[2J'], '1 to 120 printable'],
    ['no whole number', ['workspace', 'create', '--name', 'A', '--monthly-limit', '1.5'], 'a whole number'],
    ['a limit and none', ['workspace', 'set-limit', 'ws_1', '--monthly-limit', '5', '--unlimited'], 'either'],
    ['neither limit nor none', ['workspace', 'set-limit', 'ws_1'], 'either'],
    ['no phone number', ['contact', 'add', '--workspace', 'ws_1', '--phone', '12'], 'international number'],
    ['a trunk zero', ['contact', 'add', '--workspace', 'ws_1', '--phone', '+49 (0)30 123456'], 'leave out the (0)'],
    ['a national one', ['contact', 'add', '--workspace', 'ws_1', '--phone', '030 123456'], 'country code first'],
    ['00', ['message', 'list', '--workspace', 'ws_1', '--recipient', '0049 30 123456'], 'write + in its place'],
    ['a path as id', ['line', 'add', '--channel', '../x', '--upstream-phone-id', '1', '--number', '1'], 'an id'],
    ['a name of a line and none', ['line', 'label', 'line_1', 'Berlin', '--off'], '--off'],
    ['no name of a line', ['line', 'label', 'line_1'], '--off'],
    ['no rate', ['line', 'set-rate', 'line_1'], '--per-second'],
    ['a rate out of range', ['line', 'set-rate', 'line_1', '--per-second', '100001'], 'from 0 to 100000'],
    [
      'an unknown status',
      ['message', 'list', '--workspace', 'ws_1', '--status', 'LOST'],
      'one of SCHEDULED, QUEUED, SENT',
    ],
    ['an unknown outcome', ['message', 'resolve', 'msg_1', '--as', 'read'], 'one of sent, failed'],
    ['read before delivered', ['sandbox', '--delivered-after-ms', '9', '--read-after-ms', '1'], '--read-after-ms'],
  ]

  const untouched = new Deployment()
  let ended: Ended[]
  beforeAll(async () => {
    ended = await runAll(
      rows.map(([, args]) => [...args, '--json']),
      untouched,
    )
    // One as a process: its code is that of the command.
    ended[0] = await untouched.run(['--json'], { asProcess: true })
  })
  afterAll(() => untouched.remove())

  test.each(rows.map(([name], at) => [name, at] as const))('%s', (_name, at) => {
    expectRefusal(ended[at], 2, rows[at]?.[2] ?? '')
    expect(existsSync(untouched.dataDir)).toBe(false)
  })
})

test('an id that names nothing ends with 1 and one sentence', async () => {
  await deployment.withStore(async () => {})
  const rows: [args: string[], says: string][] = [
    [['line', 'list', '--workspace', 'ws_x'], 'No workspace has this id: ws_x\n'],
    [['key', 'create', '--workspace', 'ws_x'], 'No workspace has this id: ws_x\n'],
    [['template', 'sync', '--workspace', 'ws_x'], 'No workspace has this id: ws_x\n'],
    [['contact', 'add', '--workspace', 'ws_x', '--phone', '+15550100200'], 'No workspace has this id: ws_x\n'],
    [['workspace', 'set-limit', 'ws_x', '--unlimited'], 'No workspace has this id: ws_x\n'],
    [['channel', 'subscribe', 'chan_x'], 'No channel has this id: chan_x\n'],
    [['line', 'add', '--channel', 'chan_x', '--upstream-phone-id', '1', '--number', '+15550783881'], 'No channel'],
    [['line', 'set-rate', 'line_x', '--per-second', '1'], 'No line has this id: line_x\n'],
    [['key', 'revoke', 'pk_x'], 'No API key has this id: pk_x\n'],
    [['message', 'show', 'msg_x'], 'No message has this id: msg_x\n'],
    [['message', 'resolve', 'msg_x', '--as', 'sent'], 'No message has this id: msg_x\n'],
  ]
  const ended = await runAll(rows.map(([args]) => [...args, '--json']))
  for (const [at, [, says]] of rows.entries()) expectRefusal(ended[at], 1, says)
})

test('help and version end with 0, on stdout alone', async () => {
  const [help, verbHelp, version, short] = await runAll([
    ['--help'],
    ['workspace', 'create', '--help'],
    ['version'],
    ['--version'],
  ])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help?.stdout).toContain('doctor')
  expect(verbHelp).toMatchObject({ code: 0, stderr: '' })
  expect(verbHelp?.stdout).toContain('--monthly-limit <n>')
  expect(verbHelp?.stdout).toContain('--json')
  expect(version).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(`waypost ${manifest.version}\n`),
  })
  expect(short?.stdout).toBe(`${manifest.version}\n`)
})

test('help takes the words of a command', async () => {
  const [long, short, noun] = await runAll([
    ['help', 'message', 'show'],
    ['message', 'show', '--help'],
    ['help', 'message'],
  ])
  expect(long).toMatchObject({ code: 0, stderr: '', stdout: short?.stdout ?? '' })
  expect(long?.stdout).toContain('message show msg_…')
  expect(noun).toMatchObject({ code: 0, stdout: expect.stringContaining('resolve') })
})

test('with --json each failure has a code that a script can go by', async () => {
  const own = new Deployment()
  const file = own.path('file')
  writeFileSync(file, '')
  const rows: [code: string, args: string[], env?: Record<string, string>][] = [
    ['NO_DATABASE', ['workspace', 'list'], { DATA_DIR: own.path('none') }],
    ['NOT_FOUND', ['message', 'show', 'msg_x']],
    ['NOT_FOUND', ['line', 'add', '--channel', 'chan_x', '--upstream-phone-id', '1', '--number', '+4930123456']],
    ['CONFLICT', ['backup', '--to', file]],
    ['NOT_CONFIRMED', ['restore', '--from', file]],
    ['WRONG_SETTINGS', ['workspace', 'list'], { PORT: 'high' }],
    ['WRONG_SETTINGS', ['backups']],
    ['FAILED', ['workspace', 'list'], { DATABASE_PATH: file }],
    ['WRONG_USE', ['key', 'revoke']],
  ]
  await own.withStore(async () => {})
  writeFileSync(file, 'no database')
  const ended = await Promise.all(rows.map(([, args, env = {}]) => own.run([...args, '--json'], { env })))
  expect(ended.map(({ stdout }) => JSON.parse(stdout).error)).toEqual(rows.map(([code]) => code))
  own.remove()
})

test('--json stands before or after the command', async () => {
  const [before, after] = await runAll([
    ['--json', 'version'],
    ['version', '--json'],
  ])
  expect(JSON.parse(before?.stdout ?? '')).toHaveProperty('version', manifest.version)
  expect(after).toEqual(before)
})

test('bad settings end with 1, and all of them are named at once', async () => {
  const ended = await deployment.run(['workspace', 'list'], { env: { PORT: 'high', LOG_LEVEL: 'loud' } })
  expectRefusal(ended, 1, 'PORT must be')
  expect(ended.stderr).toContain('LOG_LEVEL must be')
})

test('a data folder that cannot be made ends with 1 and names the database', async () => {
  const ended = await deployment.run(['workspace', 'list'], { env: { DATA_DIR: '/dev/null/data' } })
  expectRefusal(ended, 1, '/dev/null/data/waypost.db')
})

test('what is missing is named all at once, with what may be given instead', async () => {
  const { stderr } = await deployment.run(['channel', 'connect', '--app-secret', 's'])
  expect(stderr).toStartWith('Missing: --account-id <id>, --access-token <secret> or --access-token-file <path>\n')
  expect((await deployment.run(['template', 'show'])).stderr).toStartWith('Missing: <name>\n')
})

test('a command line loads the command that it names alone, also behind options of the program', async () => {
  const named = await buildProgram({}, ['--data-dir', 'health', '--json', 'version', '--env-file', 'x'])
  expect(named.commands.map(command => command.name())).toEqual(['version'])
})

test('the help of every command marks what is required and has an example that the command takes', async () => {
  const program = await buildProgram({})
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  // The shells' own scripts call `complete`; it is no command for people.
  const verbs = all(program).filter(command => command.commands.length === 0 && command.name() !== 'complete')
  expect(verbs.length).toBeGreaterThan(30)
  for (const verb of verbs) {
    let help = ''
    verb.configureOutput({ writeOut: text => (help += text) }).outputHelp()
    const [, example = ''] = help.match(/Example:\n {2}waypost (.+)\n/) ?? []
    const names = verb.parent === program ? [verb.name()] : [verb.parent?.name(), verb.name()]
    expect(`${example} `).toStartWith(`${names.join(' ')} `)
    const given: string[] = example.match(/--[a-z-]+/g) ?? []
    const flags = [...verb.options, ...program.options].map(({ long }) => long ?? '')
    expect({ example, unknown: given.filter(flag => !flags.includes(flag)) }).toEqual({ example, unknown: [] })
    const required = verb.options.filter(({ description }) => description.endsWith('(required)'))
    expect({ example, given }).toEqual({ example, given: expect.arrayContaining(required.map(({ long }) => long)) })
  }
  expect(verbs.some(({ options }) => options.some(({ description }) => description.endsWith('(required)')))).toBe(true)
})
