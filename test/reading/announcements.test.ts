import { expect, test } from 'bun:test'
import { Announcements, type Watcher } from '../../src/reading/announcements.ts'

const watching = (noted: string[]): Watcher => ({
  workspaceIds: ['ws_1'],
  note: (workspaceId, subject) => noted.push(`${workspaceId} ${subject}`),
})

test('who watches only this process hears of its changes, and makes no other instance announce any', () => {
  let watchesOthers = 0
  const shared = {
    announce: () => {},
    watch: () => {
      watchesOthers += 1
      return () => {}
    },
  }
  const announcements = new Announcements(shared)
  const noted: string[] = []
  const end = announcements.watchHere(watching(noted))
  announcements.changed('ws_1', 'messages', 'msg_1')
  announcements.changedSomewhere('messages')
  end()
  announcements.changed('ws_1', 'contacts')
  expect(noted).toEqual(['ws_1 messages', 'ws_1 messages'])
  expect(watchesOthers).toBe(0)
})

test('a process alone has nobody to tell until somebody watches', () => {
  const announcements = new Announcements()
  expect(announcements.isWatched).toBe(false)
  const end = announcements.watchHere(watching([]))
  expect(announcements.isWatched).toBe(true)
  end()
  expect(announcements.isWatched).toBe(false)
})
