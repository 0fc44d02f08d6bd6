import { expect, test } from 'bun:test'
import type { SenderVerbs } from '../../src/messages/sender.ts'
import { spread } from '../../src/messages/senders.ts'

/** Told apart by identity; none of them is called. */
const sender = (): SenderVerbs => ({
  sendMessage: () => Promise.reject(),
  proceed: () => Promise.reject(),
  uploadMedia: () => Promise.reject(),
})

test('a channel has one sender thread, always the same, and channels use all of them', () => {
  const senders = [sender(), sender(), sender(), sender()]
  const senderFor = spread(senders)
  const channels = Array.from({ length: 100 }, (_, index) => `chan_${index}`)
  const chosen = channels.map(senderFor)
  expect(chosen.every((choice, index) => choice === senderFor(channels[index] ?? ''))).toBe(true)
  expect(new Set(chosen)).toEqual(new Set(senders))
})
