import type { Database } from 'bun:sqlite'
import type { NewEvent } from '../events.ts'
import type { Row } from '../schema/tables.ts'
import type { WriterMemory } from './memory.ts'

type InboundNumber = Pick<Row<'inboundMessages'>, 'channelId' | 'channelMessageId' | 'workspaceId' | 'seq'>

/** @returns numbers an event and stores it; the writer is alone: numbers are in the order of commits */
export function telling(client: Database, memory: WriterMemory): (event: NewEvent) => void {
  const put = client.query<never, [Row<'events'>]>(
    `INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known, subject, data)
     VALUES ($workspaceId, $seq, $type, $at, $recordedAt, $messageSeq, $sequence, $known, $subject, $data)`,
  )
  const numberInbound = client.query<never, [InboundNumber]>(
    `UPDATE inbound_messages SET workspace_id = $workspaceId, seq = $seq
     WHERE channel_id = $channelId AND channel_message_id = $channelMessageId`,
  )
  return ({ type, inbound, ...event }) => {
    const { workspaceId } = event
    const seq = memory.nextNumber(workspaceId)
    if (inbound) numberInbound.run({ ...inbound, workspaceId, seq })
    if (type !== null) put.run({ ...event, type, seq })
  }
}
