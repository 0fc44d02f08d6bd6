import { describe, expect, test } from 'bun:test'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { freshFixture } from '../../fixture.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { Installation } from './installation.ts'

const installation = freshFixture(() => Installation.make())

const database = () => installation.path('waypost.db')

/** What an operator, a script or a restore by hand does to a running gateway. */
const losses: readonly [name: string, file: string, lose: () => void][] = [
  ['the database is deleted', 'waypost.db', () => rmSync(database())],
  ['the database is moved away', 'waypost.db', () => renameSync(database(), `${database()}.old`)],
  [
    'another file is put in its place',
    'waypost.db',
    () => {
      copyFileSync(database(), `${database()}.copy`)
      renameSync(`${database()}.copy`, database())
    },
  ],
  ['its log is deleted', 'waypost.db-wal', () => rmSync(`${database()}-wal`)],
]

describe('under a running gateway', () => {
  test.each(losses)('%s: no send is accepted from then on, and it ends with 1 and says so', async (_, file, lose) => {
    const { serving, url } = await installation.run()
    expect(await installation.send(url, 'order-1')).toMatchObject({ status: 201, state: 'SENT' })

    lose()
    // The gateway may have ended by itself before it was asked.
    const answer = await installation.send(url, 'order-2').catch(() => null)

    if (answer) expect(answer).toMatchObject({ status: 503, error: 'SERVICE_UNAVAILABLE' })
    expect(installation.sent).toEqual(['order-1'])
    expect(await serving.ended).toBe(1)
    expect(serving.stderr()).toContain(`${installation.path(file)} was removed or replaced`)
  })

  test('the database is deleted while nobody sends: it ends within seconds all the same', async () => {
    const { serving } = await installation.run()
    rmSync(database())
    const startedAt = performance.now()
    expect(await serving.ended).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(hungAfterMs / 4)
    expect(serving.stderr()).toContain('was removed or replaced')
  })
})
