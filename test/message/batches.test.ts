import { describe, expect, test } from 'bun:test'
import {
  type BatchEvent,
  type BatchState,
  batchEvents,
  batchStates,
  hasEnded,
  moveOf,
} from '../../src/message/batches.ts'
import { randomOf } from '../random.ts'

/** The whole machine; what is not in it is refused, or is so already. */
const table: Readonly<Record<BatchState, Readonly<Partial<Record<BatchEvent, BatchState | 'same'>>>>> = {
  draft: { schedule: 'scheduled', start: 'running', cancel: 'cancelled' },
  scheduled: { schedule: 'same', start: 'running', cancel: 'cancelled' },
  running: { start: 'same', pause: 'paused', resume: 'same', retry: 'same', finish: 'done', cancel: 'cancelled' },
  paused: {
    ...{ schedule: 'scheduled', start: 'same', pause: 'same', resume: 'running', retry: 'same' },
    cancel: 'cancelled',
  },
  done: { start: 'same', finish: 'same', retry: 'running' },
  cancelled: { cancel: 'same' },
}

describe.each([...batchStates])('a batch that is %s', state => {
  test.each([...batchEvents])('by %s', event => {
    const to = table[state][event]
    const move = moveOf(state, event)
    if (to === undefined) expect(move).toEqual({ outcome: 'refused' })
    else if (to === 'same') expect(move).toEqual({ outcome: 'same' })
    else expect(move).toEqual({ outcome: 'moved', to })
  })
})

test('an event that is repeated at once changes nothing, and what was cancelled stays so', () => {
  const random = randomOf(7)
  for (let walk = 0; walk < 500; walk += 1) {
    let state: BatchState = 'draft'
    for (let step = 0; step < 20; step += 1) {
      const event = batchEvents[random(batchEvents.length)] ?? 'start'
      const move = moveOf(state, event)
      if (move.outcome !== 'moved') continue
      expect(state).not.toBe('cancelled')
      if (hasEnded(state)) expect(event).toBe('retry')
      state = move.to
      expect(moveOf(state, event).outcome).toBe('same')
    }
  }
})
