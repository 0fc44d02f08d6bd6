import { describe, expect, test } from 'bun:test'
import { GatewayError } from '../../src/base/errors.ts'
import { ReadPermits } from '../../src/reading/permits.ts'

const reader = (userId: string, workspaceId = 'ws_1') => ({ user: { id: userId }, workspaceId })
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))
const reasonOf = (error: unknown) => (error instanceof GatewayError ? error.reason : error)

describe('permits', () => {
  const endless = () => new Promise<never>(() => {})

  test('two searches of a user and three of a workspace run at once; the next ones wait for a permit', async () => {
    const permits = new ReadPermits()
    const running: string[] = []
    const ends: (() => void)[] = []
    const search = (userId: string, workspaceId?: string) =>
      permits.search(reader(userId, workspaceId), () => {
        running.push(userId)
        return new Promise<void>(resolve => ends.push(resolve))
      })
    for (const user of ['ada', 'ada', 'ada', 'grace', 'grace', 'alan']) void search(user)
    void search('other', 'ws_2')
    await nextTurn()
    expect(running).toEqual(['ada', 'ada', 'grace', 'other'])
    for (const end of ends.splice(0, 1)) end()
    await nextTurn()
    expect(running).toEqual(['ada', 'ada', 'grace', 'other', 'ada'])
    for (const end of ends.splice(0)) end()
    await nextTurn()
    expect(running.slice(5)).toEqual(['grace', 'alan'])
  })

  test('RATE_LIMIT_EXCEEDED: ten searches of a user wait', async () => {
    const permits = new ReadPermits()
    const asked = Array.from({ length: 13 }, () => permits.search(reader('ada'), endless).catch(reasonOf))
    expect(await Promise.race(asked)).toBe('RATE_LIMIT_EXCEEDED')
    expect(await permits.search(reader('grace'), async () => 'found')).toBe('found')
  })

  test('a search that fails gives its permit back', async () => {
    const permits = new ReadPermits()
    const failing = () => permits.search(reader('ada'), () => Promise.reject(new Error('gone')))
    for (let count = 0; count < 5; count += 1) await expect(failing()).rejects.toThrow('gone')
    expect(await permits.search(reader('ada'), async () => 'found')).toBe('found')
  })

  test('RATE_LIMIT_EXCEEDED: exports do not wait, and give back their permit once', () => {
    const permits = new ReadPermits()
    const begin = () => permits.export(reader('ada'))
    const first = begin()
    begin()
    expect(begin).toThrow('Too many reads at once')
    first()
    first()
    begin()
    expect(begin).toThrow('Too many reads at once')
  })
})
