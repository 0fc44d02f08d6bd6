import { describe, expect, test } from 'bun:test'
import manifest from '../../package.json'
import { ERRORS } from '../../src/base/errors.ts'
import { settingNames } from '../../src/config/settings.ts'
import {
  assignment,
  type Block,
  blockName,
  blocks,
  isSettings,
  isWhole,
  reasonNotRun,
  statements,
  texts,
} from './blocks.ts'
import { mistakeIn, ownCommands } from './commands.ts'

const of = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language))
const named = (some: readonly Block[]) => some.map(block => [blockName(block), block] as const)

test('every block is of a kind that is run or checked by a test', () => {
  // nginx and caddyfile: proxies.test.ts and balancers.test.ts. ts, python, php and the rest of sh: run.test.ts and
  // shell.test.ts; those that are receivers, and js: receivers.test.ts.
  const kinds = ['', 'sh', 'json', 'yaml', 'http', 'ini', 'ts', 'js', 'python', 'php', 'nginx', 'caddyfile']
  expect(blocks.filter(({ language }) => !kinds.includes(language)).map(blockName)).toEqual([])
  expect(blocks.length).toBeGreaterThan(60)
})

test('a block that is not run says why', () => {
  const silent = blocks.filter(({ note }) => note.startsWith('not') && !/^not run: \S.{5,}$/.test(note))
  expect(silent.map(blockName)).toEqual([])
})

test('what needs another machine, or changes this one, is marked as not run', () => {
  const changes = /^\s*(sudo|docker|apt|apt-get|systemctl|journalctl|dnf|certbot)\b/m
  expect(
    of('sh')
      .filter(block => changes.test(block.text) && reasonNotRun(block) === null)
      .map(blockName),
  ).toEqual([])
})

describe('JSON', () => {
  test.each(named(of('json')))('%s can be read', (_, { text }) => {
    // A part of an object stands without its braces.
    expect(() => JSON.parse(text.startsWith('"') ? `{${text}}` : text)).not.toThrow()
  })
})

describe('YAML', () => {
  test.each(named(of('yaml')))('%s can be read', (_, { text }) => {
    expect(Bun.YAML.parse(text)).toBeObject()
  })
})

describe('HTTP', () => {
  test.each(named(of('http')))('%s is an answer with a link to its code', (_, { text }) => {
    const [head = '', body = ''] = text.split('\n\n')
    const { error } = JSON.parse(body) as { error: keyof typeof ERRORS }
    expect(head).toStartWith(`HTTP/1.1 ${ERRORS[error].status[0]} `)
    expect(head).toContain(`\nLink: </docs/errors#${error}>; rel="help"`)
  })
})

describe('settings', () => {
  test.each(named(blocks.filter(block => ['sh', 'ini'].includes(block.language) && isSettings(block))))(
    '%s are settings that the gateway has',
    (_, { text }) => {
      const names = text.split('\n').flatMap(line => assignment.exec(line)?.[1] ?? [])
      expect(names.filter(name => !settingNames.some(known => known === name))).toEqual([])
    },
  )

  test('a block of another program is marked', () => {
    expect(
      of('ini')
        .filter(block => !isSettings(block) && reasonNotRun(block) === null)
        .map(blockName),
    ).toEqual([])
  })
})

describe('shell', () => {
  test.each(named(of('sh')))('%s is understood by the shell', (_, { text }) => {
    expect(isWhole(text)).toBe(true)
  })

  test.each(named(of('sh')))('%s calls commands and scripts that exist', (_, block) => {
    const found = statements(block)
    const mistakes = found.flatMap(statement =>
      ownCommands(statement).flatMap(command => {
        const mistake = mistakeIn(command, true)
        return mistake === null ? [] : [`${command}: ${mistake}`]
      }),
    )
    const scripts = found.flatMap(statement => /\bbun(?:@\S+)? run (\S+)/.exec(statement)?.[1] ?? [])
    expect([...mistakes, ...scripts.filter(script => !(script in manifest.scripts))]).toEqual([])
  })

  test('a command between words of a text exists too', () => {
    const mistakes = [...texts].flatMap(([path, text]) =>
      [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`waypost ([^`]+)`/g)].flatMap(([, rest = '']) => {
        const command = `waypost ${rest.replaceAll('\n', ' ')}`
        const mistake = mistakeIn(command, false)
        return mistake === null ? [] : [`${path}: ${command}: ${mistake}`]
      }),
    )
    expect(mistakes).toEqual([])
  })
})
