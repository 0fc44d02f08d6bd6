import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { keptRules } from '../../../db/postgres/keptRules.ts'
import { connectionOf } from '../../../db/postgres/open.ts'

/** Nobody is asked: a client connects with its first statement. */
const aClient = () => new SQL({ url: 'postgres://nobody@127.0.0.1/nothing', max: 1 })

test('rules run on the connection of their transaction, and those that run at once have each their own', async () => {
  let made = 0
  const withRules = keptRules(connection => {
    made += 1
    return () => connection.client
  })
  const [first, second, third] = [aClient(), aClient(), aClient()]
  const end = Promise.withResolvers<void>()
  const clientBeforeAndAfter = async (client: () => SQL) => {
    const before = client()
    await end.promise
    return [before, client()]
  }
  const both = Promise.all([
    withRules(connectionOf(first), clientBeforeAndAfter),
    withRules(connectionOf(second), clientBeforeAndAfter),
  ])
  end.resolve()
  expect(await both).toEqual([
    [first, first],
    [second, second],
  ])
  expect(made).toBe(2)

  const isOnThird = () => withRules(connectionOf(third), async client => client() === third)
  expect(await isOnThird()).toBe(true)
  expect(made).toBe(2)

  // What has failed may still ask for something.
  for (const client of [first, second])
    await expect(withRules(connectionOf(client), () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await isOnThird()).toBe(true)
  expect(made).toBe(3)
})
