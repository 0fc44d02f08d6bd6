import { describe, expect, test } from 'bun:test'
import { inTurn } from '../../src/http/inTurn.ts'

const double = (value: number) => value * 2

describe('goes on with a value', () => {
  test('at once where it is there, whether in a promise or not', () => {
    expect(inTurn(21, double)).toBe(42)
    expect(inTurn(Promise.resolve(21), double)).toBe(42)
  })

  test('later where it is not there yet', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const doubled = inTurn(promise, double)
    expect(doubled).toBeInstanceOf(Promise)
    resolve(21)
    expect(await doubled).toBe(42)
  })

  test('not at all where there is none: the reason is handed on', async () => {
    let calls = 0
    const count = () => {
      calls += 1
    }
    const failures = [
      () => Promise.reject(new Error('gone')),
      () => Promise.resolve().then(() => Promise.reject(new Error('gone'))),
    ]
    for (const failure of failures) await expect(inTurn(failure(), count)).rejects.toThrow('gone')
    expect(calls).toBe(0)
  })

  test('through several steps, of which the last takes its time', async () => {
    const later = async (value: number) => value + 1
    expect(await inTurn(inTurn(Promise.resolve(1), double), later)).toBe(3)
  })
})
