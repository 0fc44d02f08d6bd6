import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openPostgresStore } from '../../db/postgres/store.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { hasPostgres, startPostgres } from '../postgres.ts'
import { type CallOptions, Deployment, expectRefusal, type Identified, queueMessages, seeded } from './waypost.ts'

let deployment: Deployment
beforeEach(() => {
  deployment = new Deployment()
})
afterEach(() => deployment.remove())

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('%s gets a script that asks this program', async shell => {
    const { code, stdout, stderr } = await deployment.run(['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('waypost complete -- ')
  })

  test('bash completes commands, options and choices', async () => {
    const script = deployment.path('completion.bash')
    writeFileSync(script, (await deployment.run(['completion', 'bash'])).stdout)
    const complete = async (...words: string[]) => {
      const { stdout } = await deployment.run(['complete', '--', ...words])
      return stdout.split('\n').flatMap(line => (line.startsWith(':') ? [] : [line.split('\t')[0]]))
    }
    expect(await complete('mess')).toContain('message')
    expect(await complete('message', 're')).toContain('resolve')
    expect(await complete('message', 'list', '--st')).toContain('--status')
    expect(await complete('message', 'list', '--status', 'UN')).toContain('UNKNOWN')
    expect(Bun.spawnSync(['bash', '-n', script]).success).toBe(true)
  })

  test('a bash without the package bash-completion completes as well', async () => {
    const script = deployment.path('alone.bash')
    writeFileSync(script, (await deployment.run(['completion', 'bash'])).stdout)
    const main = resolve(import.meta.dir, '../../src/main.ts')
    const complete = (...words: string[]) => {
      const typed = words.map(word => `'${word}'`).join(' ')
      const lines = [
        `waypost() { '${process.execPath}' '${main}' "$@"; }`,
        'compopt() { :; }',
        `source '${script}'`,
        `COMP_WORDS=(waypost ${typed}) COMP_CWORD=${words.length}`,
        `__waypost_complete && printf "%s\\n" "\${COMPREPLY[@]}"`,
      ]
      const { stdout, stderr } = Bun.spawnSync(['bash', '--norc', '-c', lines.join('\n')])
      return { offered: stdout.toString().trim().split('\n'), stderr: stderr.toString() }
    }
    expect(complete('mess')).toEqual({ offered: ['message'], stderr: '' })
    expect(complete('message', 'list', '--st')).toEqual({ offered: ['--status'], stderr: '' })
    expect(complete('message', 'list', '--status', '').offered).toContain('UNKNOWN')
  })

  test('a shell may read the script twice, and beside another that keeps its names', async () => {
    const script = deployment.path('twice.bash')
    writeFileSync(script, (await deployment.run(['completion', 'bash'])).stdout)
    const source = `source '${script}'; source '${script}'; readonly ShellCompDirectiveError; source '${script}'`
    const { stdout, stderr, success } = Bun.spawnSync([
      'bash',
      '-c',
      `${source}; complete -p waypost; echo $((ShellCompDirectiveNoSpace + ShellCompDirectiveKeepOrder))`,
    ])
    expect({ success, stderr: stderr.toString() }).toEqual({ success: true, stderr: '' })
    expect(stdout.toString()).toBe('complete -F __waypost_complete waypost\n34\n')
  })

  // Only Linux has a file that is always full.
  test.if(process.platform === 'linux')('a script that cannot be written is a failure, as any answer', async () => {
    const main = resolve(import.meta.dir, '../../src/main.ts')
    const child = Bun.spawn(['bash', '-c', `'${process.execPath}' '${main}' completion zsh > /dev/full`], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    expect(await child.exited).toBe(1)
    expect(await child.stderr.text()).toContain('ENOSPC')
  })

  test('a shell that has none is wrong use', async () => {
    expectRefusal(await deployment.run(['completion', 'tcsh']), 2, 'zsh, bash, fish')
  })
})

describe('what is in the database is completed', () => {
  /** @returns what is offered for the last word, each with what is said of it */
  async function offered(words: readonly string[], options?: CallOptions): Promise<Record<string, string>> {
    const { code, stdout } = await deployment.run(['complete', '--', ...words], options)
    expect(code).toBe(0)
    const lines = stdout.split('\n').filter(line => line !== '' && !line.startsWith(':'))
    return Object.fromEntries(lines.map(line => line.split('\t') as [string, string]))
  }

  test('ids of every kind, as options and as arguments, with what tells them apart', async () => {
    const { workspaceId, channelId, lineId } = await deployment.withStore(store => seeded(store))
    const key = await deployment.json<{ apiKey: string }>(['key', 'create', '--label', 'production'])
    const contact = await deployment.json<Identified>(['contact', 'add', '--phone', '+15550100200'])
    await deployment.json(['user', 'create', '--email', 'ada@example.com'])
    const url = 'https://shop.example.com/hook'
    const webhook = await deployment.json<Identified>(['webhook', 'add', '--url', url])
    const acme = { [workspaceId]: 'Acme' }
    expect(await offered(['workspace', 'set-limit', ''])).toEqual(acme)
    expect(await offered(['key', 'create', '--workspace', ''])).toEqual(acme)
    expect(await offered(['key', 'create', '--workspace', 'ws_'])).toEqual(acme)
    expect(await offered(['key', 'create', '--workspace', 'ws_x'])).toEqual({})
    expect(await offered(['line', 'add', '--channel', ''])).toEqual({ [channelId]: 'account 1' })
    expect(await offered(['channel', 'set-token', ''])).toEqual({ [channelId]: 'account 1' })
    expect(await offered(['line', 'set-rate', ''])).toEqual({ [lineId]: '+15550783881' })
    const production = { [key.apiKey]: 'production' }
    expect(await offered(['message', 'list', '--status', 'FAILED', '--key', 'pk'])).toEqual(production)
    expect(await offered(['message', 'list', '--key=pk'])).toEqual(production)
    expect(await offered(['contact', 'show', ''])).toEqual({ [contact.id]: '+15550100200' })
    expect(await offered(['user', 'reset-password', ''])).toEqual({ 'ada@example.com': 'owner' })
    expect(await offered(['webhook', 'show', ''])).toEqual({ [webhook.id]: 'shop.example.com' })
    expect(await offered(['webhook', 'add', '--line', ''])).toEqual({ [lineId]: '+15550783881' })
  })

  test('messages are the newest, and templates have their names', async () => {
    const { owner, ids } = await deployment.withStore(async store => {
      const owner = await seeded(store)
      const columns = { category: 'UTILITY', status: 'APPROVED', parameterFormat: 'POSITIONAL', components: '[]' }
      const template = { id: 't', channelId: owner.channelId, upstreamId: '1', name: 'order_update', language: 'de' }
      const templates = [{ ...template, ...columns, updatedAt: 1, lastUpdateAt: null }]
      await store.write.replaceTemplates({ channelId: owner.channelId, at: 1, recordedAt: 1, templates })
      return { owner, ids: await queueMessages(store, owner, 60) }
    })
    const messages = await offered(['message', 'show', ''])
    expect(Object.keys(messages)).toEqual(ids.toReversed().slice(0, 50))
    expect(messages[ids.at(-1) ?? '']).toBe('QUEUED to +15550100200')
    expect(await offered(['template', 'show', 'ord'])).toEqual({ order_update: 'de APPROVED' })
    expect(await offered(['message', 'list', '--workspace', owner.workspaceId, '--template', ''])).toEqual({
      order_update: 'de APPROVED',
    })
  })

  test('of all workspaces the newest messages, and a template of many languages once', async () => {
    const newest = await deployment.withStore(async store => {
      const owner = await seeded(store)
      const columns = { category: 'UTILITY', status: 'APPROVED', parameterFormat: 'POSITIONAL', components: '[]' }
      const times = { updatedAt: 1, lastUpdateAt: null }
      const templates = Array.from({ length: 51 }, (_, n) => {
        const name = n < 50 ? 'order_update' : 'parcel_ready'
        return {
          id: `t${n}`,
          channelId: owner.channelId,
          upstreamId: `${n}`,
          name,
          language: `l${n}`,
          ...columns,
          ...times,
        }
      })
      await store.write.replaceTemplates({ channelId: owner.channelId, at: 1, recordedAt: 1, templates })
      await queueMessages(store, owner, 50)
      return queueMessages(store, await seeded(store, '2'), 2)
    })
    const messages = Object.keys(await offered(['message', 'show', '']))
    expect(messages).toHaveLength(50)
    expect(messages).toEqual(expect.arrayContaining(newest))
    expect(Object.keys(await offered(['template', 'show', '']))).toEqual(['order_update', 'parcel_ready'])
  })

  test('a shell expands what it is offered: it gets nothing that people typed and it would run', async () => {
    const evil = '$(touch ran)`touch ran`;\\'
    await deployment.json(['workspace', 'create', '--name', evil])
    await deployment.json(['user', 'create', '--email', '`touch$ran`@example.com'])
    expect(Object.values(await offered(['workspace', 'remove', '']))).toEqual(['touch rantouch ran'])
    expect(await offered(['user', 'reset-password', ''])).toEqual({})
  })

  test('the options of the line that is typed say where to look', async () => {
    const elsewhere = deployment.path('elsewhere')
    const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme', '--data-dir', elsewhere])
    const file = deployment.path('own.env')
    writeFileSync(file, `DATA_DIR=${elsewhere}\n`)
    const words = ['workspace', 'remove', '']
    const env = { DATA_DIR: '' }
    expect(await offered(words, { env })).toEqual({})
    for (const place of [
      ['--data-dir', elsewhere],
      ['--env-file', file],
      [`--data-dir=${elsewhere}`],
      [`--env-file=${file}`],
    ]) {
      expect(Object.keys(await offered([...place, ...words], { env }))).toEqual([id])
      const later = ['message', 'list', '--limit', '5', ...place, '--workspace', '']
      expect(Object.keys(await offered(later, { env }))).toEqual([id])
    }
  })

  test('nothing is offered where no database can be read; none is made or migrated', async () => {
    expect(await offered(['message', 'show', ''])).toEqual({})
    expect(existsSync(deployment.dataDir)).toBe(false)
    const unreachable = { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: '' } }
    expect(await offered(['message', 'show', ''], unreachable)).toEqual({})

    await deployment.withStore(async store => void (await seeded(store)))
    const older = new Database(deployment.databasePath)
    older.run('DELETE FROM migrations')
    older.run('ALTER TABLE lines RENAME COLUMN number TO phone')
    expect(await offered(['line', 'set-rate', ''])).toEqual({})
    expect(older.query('SELECT * FROM migrations').all()).toEqual([])
    older.close()
  })

  test.skipIf(!hasPostgres)('on PostgreSQL as well', async () => {
    const server = await startPostgres({ fsync: 'off' })
    try {
      const url = await server.createDatabase()
      const env = { DATABASE_URL: url, DATA_DIR: '' }
      expect(await offered(['line', 'set-rate', ''], { env })).toEqual({})
      const store = await openPostgresStore({ url, clock: systemClock, log: silentLogger, auditedAs: 'cli:test' })
      const { lineId } = await seeded(store)
      await store.close()
      expect(await offered(['line', 'set-rate', ''], { env })).toEqual({ [lineId]: '+15550783881' })
    } finally {
      await server.remove()
    }
  })
})
