import { Database } from 'bun:sqlite'

/** How many rows a database is made to have. */
export interface Growth {
  readonly messages: number
  readonly inbound: number
  readonly statistics: 'old' | 'removed'
}

/** Each contact has written this many messages. */
const inboundPerContact = 20

/**
 * Fills a database of the first schema (`0.1.0-init`) as traffic does. Its statistics stay as they were, or are removed:
 * a gateway that was killed never refreshed them, and neither has a backup of a running one.
 * @param file of the fixture, unpacked
 */
export function grow(file: string, { messages, inbound, statistics }: Growth): void {
  using client = new Database(file, { readwrite: true, create: false, strict: true })
  client.run('PRAGMA synchronous = OFF')
  if (statistics === 'removed') client.run('DROP TABLE sqlite_stat1')
  client.run(`
    BEGIN;
    CREATE TEMP TABLE numbers AS
      WITH RECURSIVE counted (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM counted WHERE value < ${Math.max(messages, inbound)})
      SELECT value FROM counted;
    CREATE TEMP TABLE origin AS
      SELECT message.workspace_id AS workspace_id, message.line_seq AS line_seq, lines.id AS line_id,
        lines.channel_id AS channel_id, message.created_at AS at
      FROM messages AS message JOIN lines ON lines.seq = message.line_seq LIMIT 1;
    INSERT INTO contacts (id, workspace_id, phone, name, created_at, updated_at)
      SELECT printf('contact_g%024d', value), workspace_id, printf('+4930%09d', value), 'User', at, at
      FROM numbers, origin WHERE value <= ${Math.ceil(inbound / inboundPerContact)};
    INSERT INTO messages (id, workspace_id, line_seq, recipient, type, template_name, status, api_key_seq, request_id,
        created_at, dispatched_at, accepted_at, delivered_at, read_at, channel_message_id, wa_id)
      SELECT printf('msg_g%025d', value), workspace_id, line_seq, printf('+4930%09d', value % 100000), 'template', 'photo_ready',
        'READ', 1, printf('%022d', value), at + value, at + value, at + value, at + value, at + value,
        printf('wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI%024d', value), printf('4930%09d', value % 100000)
      FROM numbers, origin WHERE value <= ${messages};
    INSERT INTO message_contents (message_seq, payload)
      SELECT seq, printf('{"to":"%s","type":"template","template":{"name":"photo_ready","language":{"code":"en_US"},' ||
        '"components":[{"type":"body","parameters":[{"type":"text","text":"Your parcel is here."}]}]}}', recipient)
      FROM messages WHERE id LIKE 'msg_g%';
    INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
      SELECT seq, kind, created_at, '', created_at FROM messages, (SELECT 'accepted' AS kind UNION SELECT 'delivered')
      WHERE id LIKE 'msg_g%';
    INSERT INTO inbound_messages (channel_id, channel_message_id, contact_id, line_id, kind, at, recorded_at, phone, content)
      SELECT channel_id, printf('wamid.HBgLMTY1MDU1NTEyMzQVAgASGCB%024d', value),
        printf('contact_g%024d', value % ${Math.ceil(inbound / inboundPerContact)} + 1), line_id, 'text', at + value, at + value,
        printf('+4930%09d', value), '{"type":"text","text":{"body":"Thank you"}}'
      FROM numbers, origin WHERE value <= ${inbound};
    -- A message is stored by the writer alone, which counts it.
    DELETE FROM properties WHERE name = 'counted';
    COMMIT`)
}
