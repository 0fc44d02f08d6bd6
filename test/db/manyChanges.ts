import { expect } from 'bun:test'
import type { ConversationReads } from '../../db/contract/conversations.ts'
import type { InboundReads } from '../../db/contract/inbound.ts'
import { dayMs } from '../../src/base/durations.ts'
import { t0 } from './fixtures.ts'

const columns = `channel_id, workspace_id, seq, channel_message_id, contact_id, line_id, kind, at, recorded_at, content`

/** More changes of a person than one page looks at (db/rules/inboundChanges.ts), from a day after `t0`. */
export const fillChanges = `INSERT INTO inbound_messages (${columns})
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2001)
  SELECT 'chan_1', 'ws_1', 100 + n, 'wamid.' || n, 'contact_1', 'line_1', 'edit', ${t0 + dayMs} + n, ${t0},
    '{"edit":{"original_message_id":"wamid.late"}}' FROM numbers`

/**
 * Where a workspace hides what is deleted, neither the many changes of another person nor a person's own show anything
 * that was deleted: what may be is hidden, and a change that its message does not tell stands alone.
 * @param run runs a statement in a database that has the workspace `ws_1`
 */
export async function proveManyChanges(
  read: Pick<InboundReads, 'inboundMessages'> & Pick<ConversationReads, 'inbound'>,
  run: (sql: string) => Promise<unknown>,
): Promise<void> {
  let seq = 0
  const say = async (contact: string, id: string, kind: string, at: number, content: object) => {
    seq += 1
    await run(`INSERT INTO inbound_messages (${columns}) VALUES ('chan_1', 'ws_1', ${seq}, 'wamid.${id}', '${contact}',
      'line_1', '${kind}', ${at}, ${t0}, '${JSON.stringify(content)}')`)
  }
  const write = (contact: string, id: string, at = t0) => say(contact, id, 'text', at, { text: { body: id } })
  const revoke = (contact: string, id: string, at: number) =>
    say(contact, `${id}.gone`, 'revoke', at, { revoke: { original_message_id: `wamid.${id}` } })
  await run("UPDATE workspaces SET deleted_messages = 'hide' WHERE id = 'ws_1'")
  await write('contact_1', 'deleted')
  await revoke('contact_1', 'deleted', t0 + 1)
  await write('contact_1', 'kept', t0 + 2)
  await write('contact_1', 'late', t0 + 3 * dayMs)
  await write('contact_2', 'other.deleted')
  await write('contact_2', 'other.kept')
  await revoke('contact_2', 'other.deleted', t0 + 3 * dayMs)

  const hidden = async () => {
    const { messages } = await read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 7, scan: 7 })
    return messages.flatMap(({ channelMessageId, related }) => (related.isHidden ? channelMessageId : []))
  }
  const told = async () => {
    const entries = await read.inbound({ contactId: 'contact_1', limit: 9, before: { at: t0 + 1, seq: 100 } })
    return entries.map(({ kind, related }) => [kind, related.isTold])
  }
  expect(await hidden()).toEqual(['wamid.deleted', 'wamid.other.deleted'])
  expect(await told()).toEqual([
    ['revoke', true],
    ['text', false],
  ])
  await run(fillChanges)
  expect(await hidden()).toEqual(['wamid.deleted', 'wamid.kept', 'wamid.other.deleted'])
  expect(await told()).toEqual([
    ['revoke', false],
    ['text', false],
  ])
}
