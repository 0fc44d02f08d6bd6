import { expect, test } from 'bun:test'
import type { Message } from '../../db/contract/records.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { heldAmong } from '../../src/batches/stops.ts'
import type { MessageStatus } from '../../src/message/statuses.ts'

const messageThatIs = (status: MessageStatus) => ({ status, createdAt: 0 }) as Message

test('what waits for the end of quiet hours hides nothing that is held', () => {
  const [scheduled, queued] = [messageThatIs('SCHEDULED'), messageThatIs('QUEUED')]
  expect(heldAmong([scheduled, queued], minuteMs)).toBe(queued)
  expect(heldAmong([scheduled], minuteMs)).toBeUndefined()
})
