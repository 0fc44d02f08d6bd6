import { expect, test } from 'bun:test'
import { progress } from '../../src/cli/streams.ts'
import { ManualClock } from '../clock.ts'

test('a long work tells every five seconds how far it is, and a short one nothing', async () => {
  const clock = new ManualClock()
  const lines: string[] = []
  const tell = progress(clock, {
    async write(line) {
      lines.push(line)
    },
  })
  for (let second = 0; second < 12; second += 1) {
    await tell(`after ${second} s`)
    clock.advance(1_000)
  }
  expect(lines).toEqual(['after 5 s\n', 'after 10 s\n'])
})
