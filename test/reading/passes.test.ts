import { beforeEach, expect, test } from 'bun:test'
import { Passes } from '../../src/reading/passes.ts'
import { ManualClock } from '../clock.ts'

const clock = new ManualClock()
let passes: Passes
beforeEach(() => {
  passes = new Passes(clock)
})
const passed = (workspaceId: string, calls: number) =>
  Array.from({ length: calls }, () => passes.take(workspaceId)).filter(pass => pass).length

test('while no other workspace sends, every call passes', () => {
  passes.sends('ws_1')
  expect(passed('ws_1', 1_000)).toBe(1_000)
})

test('beside the sends of another one, 200 calls of a workspace pass in a second', () => {
  passes.sends('ws_2')
  expect(passed('ws_1', 1_000)).toBe(200)
  expect(passed('ws_2', 1_000)).toBe(1_000)
  clock.advance(1_000)
  expect(passed('ws_1', 1_000)).toBe(200)
})

test('a send counts for a second, and no longer than the next one', () => {
  passes.sends('ws_2')
  clock.advance(1_000)
  expect(passed('ws_1', 1_000)).toBe(200)
  clock.advance(1_000)
  expect(passed('ws_1', 1_000)).toBe(1_000)
})

test('beside the sends of another workspace, a large body takes turns', () => {
  passes.sends('ws_1')
  expect(passes.hasRoom('ws_1', 131_072)).toBe(true)
  passes.sends('ws_2')
  expect(passes.hasRoom('ws_1', 16_384)).toBe(true)
  expect(passes.hasRoom('ws_1', 16_385)).toBe(false)
})
