import { expect, test } from 'bun:test'
import type { Message } from '../../db/contract/records.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { heldAmong, stopOfQuality } from '../../src/batches/stops.ts'
import type { MessageStatus } from '../../src/message/statuses.ts'

const messageThatIs = (status: MessageStatus) => ({ status, createdAt: 0 }) as Message

test('what waits for the end of quiet hours hides nothing that is held', () => {
  const [scheduled, queued] = [messageThatIs('SCHEDULED'), messageThatIs('QUEUED')]
  expect(heldAmong([scheduled, queued], minuteMs)).toBe(queued)
  expect(heldAmong([scheduled], minuteMs)).toBeUndefined()
})

test('a line that people rate worse than before stops a batch, and no other one', () => {
  const rated = (quality: string | null) => stopOfQuality('YELLOW', { quality, number: '+4930123456' })
  expect(rated('RED')).toMatchObject({ code: 'line', message: expect.stringContaining('RED, and it was YELLOW') })
  for (const quality of ['YELLOW', 'GREEN', 'UNKNOWN', null]) expect(rated(quality)).toBeNull()
})
