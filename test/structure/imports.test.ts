import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { WORKERS } from '../../src/threads/thread.ts'
import { closure, codeOf, isPage, isUnder, loadedWith, type Module, modules, root } from './modules.ts'

/** @returns `who -> what` for each import that breaks a rule */
const offences = (isForbidden: (module: Module, target: string, isType: boolean) => boolean) =>
  modules.flatMap(module =>
    module.imports
      .filter(({ target, isType }) => isForbidden(module, target, isType))
      .map(({ target }) => `${module.path} -> ${target}`),
  )

/** @returns the modules outside of `allowed` whose text has the words */
const mentions = (words: RegExp, allowed: (path: string) => boolean) =>
  modules.filter(({ path, text }) => !allowed(path) && words.test(codeOf(text))).map(({ path }) => path)

test('the walk sees the program: every import of a file of ours is there', () => {
  expect(modules.length).toBeGreaterThan(100)
  const ours = modules.flatMap(({ imports }) => imports).filter(({ target }) => /^(src|db|workers)\//.test(target))
  expect(ours.length).toBeGreaterThan(300)
  expect(ours.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
  // From the entry to the store and the threads' own code, over dynamic imports as well.
  const reached = closure('src/main.ts')
  for (const path of ['src/serve.ts', 'db/sqlite/store.ts', 'elysia', 'commander']) expect(reached).toContain(path)
  expect(closure('workers/writer.ts')).toContain('drizzle-orm')
})

describe('pure cores do no input or output, directly or through anything they use', () => {
  /** Templates as they are stored and read from the upstream: services over the store, not rules. */
  const services = ['src/templates/sync.ts', 'src/templates/refresh.ts']
  const cores = modules
    .map(({ path }) => path)
    .filter(
      path =>
        isUnder(
          path,
          'src/message',
          'src/templates',
          'src/interactive',
          'src/base/errors.ts',
          'src/base/ids.ts',
          'src/base/clock.ts',
        ) || ['line', 'fingerprint'].some(name => path === `src/sending/${name}.ts`),
    )
    .filter(path => !services.includes(path))

  /** `node:crypto` computes; the other packages neither read nor write anything outside of the program. */
  const harmless = new Set(['node:crypto', 'typeid-js', 'typebox', 'typebox/compile', 'typebox/system'])

  test.each(cores)('%s', path => {
    const reached = [...closure(path)]
    expect(reached.filter(target => !isUnder(target, 'src') && !harmless.has(target))).toEqual([])
    const active = /\b(fetch\(|Bun\.(file|write|serve|listen|connect|spawn|udpSocket)|process\.(stdout|stderr|env))/
    const loud = modules.filter(module => reached.includes(module.path) && active.test(codeOf(module.text)))
    expect(loud.map(module => module.path)).toEqual([])
  })
})

describe('who may import whom', () => {
  test('only db/ knows Drizzle and SQLite', () => {
    expect(
      offences(
        ({ path }, target) => !isUnder(path, 'db') && (target === 'bun:sqlite' || isUnder(target, 'drizzle-orm')),
      ),
    ).toEqual([])
  })

  test('only app.ts, http/, partner/, callbacks/, console/ and sandbox/ know Elysia', () => {
    const folders = ['app.ts', 'http', 'partner', 'callbacks', 'console', 'sandbox'].map(name => `src/${name}`)
    expect(
      offences(({ path }, target) => !isUnder(path, ...folders) && isUnder(target, 'elysia', '@elysiajs')),
    ).toEqual([])
  })

  test('the worker threads never load Elysia, over any number of steps', () => {
    for (const path of Object.values(WORKERS)) {
      const packages = [...closure(path)].filter(target => isUnder(target, 'elysia', '@elysiajs', 'commander'))
      expect(packages).toEqual([])
    }
  })

  test('nothing imports main.ts, and only main.ts and cli/ itself import cli/', () => {
    expect(offences((_, target) => target === 'src/main.ts')).toEqual([])
    expect(
      offences(({ path }, target) => isUnder(target, 'src/cli') && !isUnder(path, 'src/cli', 'src/main.ts')),
    ).toEqual([])
  })

  test('only the commands know the stand-in upstream', () => {
    expect(
      offences(({ path }, target) => isUnder(target, 'src/sandbox') && !isUnder(path, 'src/sandbox', 'src/cli')),
    ).toEqual([])
  })

  test('the page takes nothing but types from the server, and the rules and numbers that both go by', () => {
    const ours = (target: string) => isUnder(target, 'src', 'db', 'workers')
    const shared = [
      'src/forms',
      'src/templates/authoring',
      'src/batches/csvItems.ts',
      'src/batches/csvMapping.ts',
      'src/batches/csvTable.ts',
      'src/base/direction.ts',
      'src/base/eventTypes.ts',
      'src/base/keyScopes.ts',
      'src/base/messagingLimit.ts',
      'src/base/names.ts',
      'src/base/upstreamLimits.ts',
      'src/base/durations.ts',
      'src/media/outgoing/types.ts',
      'src/console/languages.ts',
      'src/message/batches.ts',
      'src/message/plan.ts',
      'src/message/quietSettings.ts',
      'src/message/statuses.ts',
      'src/message/words.ts',
      'src/reading/steps.ts',
      'src/sending/sendAt.ts',
      'db/contract/preferences.ts',
      'db/contract/roles.ts',
      'db/messageFields.ts',
    ]
    const taken = offences(
      ({ path }, target, isType) =>
        isPage(path) && ours(target) && !isPage(target) && !isType && !isUnder(target, ...shared),
    )
    expect(taken).toEqual([])
    // Pure: no package and nothing of the runtime comes along.
    const names = ['check', 'draft', 'kinds', 'lifecycle', 'parts', 'texts', 'values']
    const others = [
      'db/messageFields.ts',
      'src/media/outgoing/types.ts',
      'src/batches/csvItems.ts',
      'src/batches/csvTable.ts',
    ]
    const rules = [...names.map(name => `src/templates/authoring/${name}.ts`), ...others]
    const reached = rules.flatMap(path => [...closure(path)])
    expect(reached.filter(target => !isUnder(target, 'src', 'db'))).toEqual([])
  })

  test('only the page knows React, and the server takes nothing from the page', () => {
    const packages = ['react', 'react-dom', '@mantine', '@tanstack', 'wouter', '@elysiajs/eden']
    expect(offences(({ path }, target) => !isPage(path) && (isPage(target) || isUnder(target, ...packages)))).toEqual(
      [],
    )
  })

  test('nothing of the program imports a test, the packaging or a development tool', () => {
    const tools = [
      'fast-check',
      'papaparse',
      'drizzle-kit',
      'typescript',
      '@biomejs',
      '@redocly',
      'bun:test',
      'test',
      'packaging',
    ]
    expect(offences((_, target) => isUnder(target, ...tools))).toEqual([])
  })

  test('only its own folder and the place that chooses it know an engine; all else knows the interface', () => {
    /** What copies rows from one to the other. */
    const move = 'db/move'
    /** Also what works on the file itself: the writer thread, backups, restore, doctor. */
    const ofSqlite = [
      'db/database.ts',
      'src/cli',
      'src/doctor',
      'src/backup/make.ts',
      'workers/writer.ts',
      'db/sqlite',
      move,
    ]
    /** Writes the migrations of both, functions included. */
    const generator = 'db/migrations/generate.ts'
    const ofPostgres = ['db/database.ts', 'src/cli', 'src/doctor/serverChecks.ts', 'db/postgres', move, generator]
    expect(offences(({ path }, target) => isUnder(target, 'db/sqlite') && !isUnder(path, ...ofSqlite))).toEqual([])
    expect(offences(({ path }, target) => isUnder(target, 'db/postgres') && !isUnder(path, ...ofPostgres))).toEqual([])
    expect(offences(({ path }, target) => isUnder(target, 'db/schema') && !isUnder(path, 'db'))).toEqual([])
  })
})

test('a gateway with a file keeps in memory neither other commands nor the other engine nor the stand-in', () => {
  // What main.ts imports for `waypost serve`, one after the other.
  const steps = ['src/main.ts', 'src/cli/program.ts', 'src/cli/serve.ts', 'src/serve.ts']
  const loaded = loadedWith(...steps)
  for (const path of ['commander', 'elysia', 'src/app.ts', 'db/sqlite/store.ts']) expect(loaded).toContain(path)
  const others = [
    'db/postgres',
    'db/move',
    'src/sandbox',
    'src/cli/channel.ts',
    '@bomb.sh',
    'prom-client',
    '@opentelemetry',
  ]
  expect([...loaded].filter(path => isUnder(path, ...others))).toEqual([])
  // The build keeps what is imported late apart. In one piece, all of it would be there from the start.
  expect(manifest.scripts.build).toContain('--splitting')
})

describe('only graph/, media/, callbacks/ and sandbox/ know the wire format of the upstream', () => {
  const wire = 'src/graph/wire.ts'
  /**
   * The structure of a template is the upstream's own, stored and shown to partners as it is: these read or write its
   * components, and take no more than the types from the wire.
   */
  const readers = [
    'authoring/read',
    'authoring/wire',
    'button',
    'card',
    'carousel',
    'exampleComponents',
    'exampleSend',
    'examples',
    'forwardedComponents',
    'headerExamples',
    'media',
    'parameters',
    'preview',
    'record',
    'renderComponents',
    'shape',
    'structure',
    'sync',
    'variables',
  ].map(name => `src/templates/${name}.ts`)

  test('others take at most the types of template components from it', () => {
    const strangers = offences(
      ({ path }, target) =>
        target === wire && !isUnder(path, 'src/graph', 'src/media/outgoing', 'src/sandbox') && !readers.includes(path),
    )
    expect(strangers).toEqual([])
    expect(offences(({ path }, target, isType) => target === wire && !isUnder(path, 'src/graph') && !isType)).toEqual(
      [],
    )
  })

  /** Callbacks are read where they come in; the rest of the program gets reports and events. */
  const speakers = (path: string) =>
    isUnder(path, 'src/graph', 'src/media/outgoing', 'src/sandbox', 'src/callbacks', 'src/partner/dropIn') ||
    // What is delivered in the platform's format.
    ['Callback', 'Examples'].some(name => path === `src/webhooks/platform${name}.ts`)

  test('its own field names stand nowhere else', () => {
    expect(
      mentions(/\b(messaging_product|biz_opaque_callback_data|phone_number_id|wa_id|fbtrace_id)\b/, speakers),
    ).toEqual(
      // The database names a column after it.
      ['db/schema/messages.ts'],
    )
  })
})

describe('what only one place does', () => {
  test('config.ts reads the environment; main.ts hands it in', () => {
    const environment = /\b(process|Bun)\.env\b|\bimport\.meta\.env\b/
    // Tells the bundler what the page's packages find under this name.
    const definition = 'src/console/page/bundle.ts'
    const places = ['src/config/config.ts', 'src/main.ts', definition]
    expect(mentions(environment, path => places.includes(path))).toEqual([])
  })

  test('main.ts ends the process', () => {
    expect(mentions(/\bprocess\.(exit|abort|kill)\(/, path => path === 'src/main.ts')).toEqual([])
  })

  test('queue/ makes threads', () => {
    expect(mentions(/\bnew Worker\(/, path => isUnder(path, 'src/threads'))).toEqual([])
  })

  test('no request goes to a proxy that the environment names: each call says so itself', () => {
    const calls = (text: string) => text.match(/(?<!async )\b(fetch|fetcher)\(/g)?.length ?? 0
    const direct = (text: string) => text.match(/\bproxy: false\b/g)?.length ?? 0
    const callers = modules.filter(({ path, text }) => !isPage(path) && calls(codeOf(text)) > 0)
    expect(callers.length).toBeGreaterThan(0)
    expect(callers.filter(({ text }) => calls(codeOf(text)) !== direct(codeOf(text))).map(m => m.path)).toEqual([])
  })

  test('clock.ts tells the time and sets timers', () => {
    /** The migration's time is a note for people. */
    const exceptions = ['src/base/clock.ts', 'workers/writer.ts']
    const direct = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bBun\.sleep/
    expect(mentions(direct, path => exceptions.includes(path) || isPage(path))).toEqual([])
  })
})
