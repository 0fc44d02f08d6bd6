import type { Database } from 'bun:sqlite'
import type { NewEvent } from '../contract/events.ts'
import type { Row } from '../schema/tables.ts'
import type { WriterMemory } from './memory.ts'

type InboundNumber = Pick<Row<'inboundMessages'>, 'channelId' | 'channelMessageId' | 'workspaceId' | 'seq'>

type Heard = Readonly<Record<'id' | 'seq', string | number>>

/** While nothing is unread, or open, what is past changes nothing about that. */
const alsoPast = (mark: 'read_seq' | 'done_seq') =>
  `${mark} = CASE WHEN ${mark} >= coalesce(heard_seq, 0) THEN $seq ELSE ${mark} END`
const pastMarks = `${alsoPast('read_seq')}, ${alsoPast('done_seq')}`

/** @returns numbers an event and stores it; the writer is alone: numbers are in the order of commits */
export function telling(client: Database, memory: WriterMemory): (event: NewEvent) => void {
  const put = client.query<never, [Row<'events'>]>(
    `INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known, subject, data)
     VALUES ($workspaceId, $seq, $type, $at, $recordedAt, $messageSeq, $sequence, $known, $subject, $data)`,
  )
  const numberInbound = client.query<{ id: string | null }, [InboundNumber]>(
    `UPDATE inbound_messages SET workspace_id = $workspaceId, seq = $seq
     WHERE channel_id = $channelId AND channel_message_id = $channelMessageId RETURNING contact_id AS id`,
  )
  const hear = {
    now: client.query<never, [Heard]>('UPDATE contacts SET heard_seq = $seq WHERE id = $id'),
    past: client.query<never, [Heard]>(`UPDATE contacts SET heard_seq = $seq, ${pastMarks} WHERE id = $id`),
  }
  const speak = client.query<never, [Heard]>(
    `UPDATE contacts SET spoken_seq = $seq, heard_seq = coalesce(heard_seq, $seq),
       read_seq = CASE WHEN heard_seq IS NULL THEN $seq ELSE read_seq END
     WHERE id = $id`,
  )
  return ({ type, inbound, spokenTo, ...event }) => {
    const { workspaceId } = event
    const seq = memory.nextNumber(workspaceId)
    if (inbound) {
      const { heard, ...named } = inbound
      const { id = null } = numberInbound.get({ ...named, workspaceId, seq }) ?? {}
      if (id !== null && heard !== 'no') hear[heard].run({ id, seq })
    }
    if (spokenTo !== undefined) speak.run({ id: spokenTo, seq })
    if (type !== null) put.run({ ...event, type, seq })
  }
}
