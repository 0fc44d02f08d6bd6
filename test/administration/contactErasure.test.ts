import { expect, setDefaultTimeout, test } from 'bun:test'
import { openStore } from '../../db/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { eraseContact } from '../../src/administration/contactErasure.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { accepted, draft, inbound, makeFolder, seedStore, t0 } from '../db/fixtures.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

test('a message that is stored while its contact is erased is erased too, however old its id is', async () => {
  const folder = makeFolder()
  const clock = new ManualClock(t0)
  const store = await openStore({ path: folder.file, clock, log: silentLogger, onWriterLost: () => {} })
  await seedStore(store)
  await store.write.recordInbound({ channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  const [contact] = (await store.read.searchContacts({ workspaceId: 'ws_1', limit: 1, scan: 1 })).contacts
  if (!contact) throw new Error('there is no contact')
  const send = async (id: string) => {
    await store.write.acceptMessage(draft({ id, contactId: contact.id, recipient: contact.phone ?? '' }))
    await store.write.recordEvent(accepted(id))
  }
  await send('msg_5')
  const forgetInbound: Store['write']['forgetInbound'] = async page => {
    if ((await store.read.message('msg_4')) === null) await send('msg_4')
    return store.write.forgetInbound(page)
  }
  const meanwhile = { ...store, write: { ...store.write, forgetInbound } }
  expect(await eraseContact(meanwhile, contact, clock)).toEqual({ outcome: 'erased', messages: 2, inbound: 1 })
  const messages = await Promise.all(['msg_4', 'msg_5'].map(id => store.read.message(id)))
  expect(messages.map(message => message?.recipient)).toEqual(['forgotten', 'forgotten'])
  await store.close()
  folder.remove()
})
