import { expect, test } from 'bun:test'
import { ShortLivedMap } from '../../src/base/shortLivedMap.ts'

test('holds what was set and not deleted, in that order, however many entries came and went', () => {
  const map = new ShortLivedMap<number, string>()
  const kept: number[] = []
  for (let key = 0; key < 5_000; key += 1) {
    map.set(key, `value ${key}`)
    if (key % 100 === 7) kept.push(key)
    else map.delete(key)
  }
  map.delete(0)
  expect(map.entries()).toEqual(kept.map(key => [key, `value ${key}`] as const))
  expect(map.size).toBe(kept.length)
  expect(map.first()).toBe(7)
  expect(map.get(107)).toBe('value 107')
  expect(map.get(108)).toBeUndefined()
})

test('entries may go while a caller walks through them', () => {
  const map = new ShortLivedMap<number, number>()
  for (let key = 0; key < 1_000; key += 1) map.set(key, -key)
  const seen: number[] = []
  for (const value of map.values()) {
    map.delete(-value)
    seen.push(value)
  }
  expect(seen).toHaveLength(1_000)
  expect(map.size).toBe(0)
  map.set(1, 1)
  map.clear()
  expect(map.first()).toBeUndefined()
})
