import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, symlinkSync } from 'node:fs'
import { binary, ensureBuilt } from '../../executable.ts'
import { freshFixture } from '../../fixture.ts'
import { Installation, refusal } from './installation.ts'

const installation = freshFixture(() => Installation.make())
beforeAll(ensureBuilt)

describe('a second gateway on the same database', () => {
  test('is refused with 1 and a sentence that names the file; the first one goes on', async () => {
    const { url } = await installation.run()

    const { code, says } = await refusal(installation.start())

    expect(code).toBe(1)
    expect(says).toContain(`Another gateway is running on ${installation.path('waypost.db')}`)
    expect(says.split('\n')).toHaveLength(1)
    expect(await installation.send(url, 'order-1')).toMatchObject({ status: 201, state: 'SENT' })
  })

  test('is refused also by another way to the same file', async () => {
    await installation.run()
    const env = { DATA_DIR: `${installation.dataDir}/../${installation.dataDir.split('/').at(-1)}/.` }

    expect(await refusal(installation.start({ env }))).toMatchObject({ code: 1 })
  })

  test('is refused also by another name of the file', async () => {
    await installation.run()
    const name = installation.path('other.db')
    symlinkSync(installation.path('waypost.db'), name)

    expect(await refusal(installation.start({ env: { DATABASE_PATH: name } }))).toMatchObject({ code: 1 })
  })

  test('of two that start at once, one serves', async () => {
    const starts = [installation.start(), installation.start()]
    const urls = await Promise.all(starts.map(({ ready }) => ready))
    const refused = starts[urls.indexOf(null)]

    expect(urls.filter(url => url !== null)).toHaveLength(1)
    expect(await refused?.ended).toBe(1)
    expect(refused?.stderr()).toContain('Another gateway is running on')
  })

  test('is refused also after the lock file was deleted: what waits in the first one is not sent twice', async () => {
    const { url } = await installation.run()
    await installation.send(url, 'order-1')
    rmSync(installation.path('waypost.db.lock'))

    const { code, says } = await refusal(installation.start())

    expect(code).toBe(1)
    expect(says).toContain(`Another gateway is running on ${installation.path('waypost.db')}`)
    expect(await installation.send(url, 'order-2')).toMatchObject({ status: 201, state: 'SENT' })
    expect(await refusal(installation.start())).toMatchObject({ code: 1 })
  })

  test('is refused also without the lock file of a database that the executable has just made', async () => {
    const start = { env: { DATA_DIR: installation.path('new') }, program: [binary, 'serve'] }
    await installation.run(start)
    rmSync(installation.path('new/waypost.db.lock'))

    const { code, says } = await refusal(installation.start(start))

    expect(code).toBe(1)
    expect(says).toContain(`Another gateway is running on ${installation.path('new/waypost.db')}`)
  })

  test('starts as soon as the first one was killed: the lock dies with its process, and no file keeps it', async () => {
    const first = await installation.run()
    const { id } = await installation.send(first.url, 'order-1')
    await first.serving.end('SIGKILL')

    const { url } = await installation.run()

    expect(await installation.status(url, id)).toMatchObject({ status: 200, state: 'SENT' })
  })

  test('starts as soon as the first one has stopped', async () => {
    const first = await installation.run()
    expect(await first.serving.end('SIGTERM')).toBe(0)

    expect((await installation.run()).url).toContain('http://')
  })
})
