const channel = (id: string, workspaceId: string) =>
  `INSERT INTO channels (id, workspace_id, account_id, sealed_access_token, sealed_app_secret, sealed_verify_token,
     created_at, updated_at) VALUES ('${id}', '${workspaceId}', '${id}', '', '', '', 1, 1);`
const received = (id: string, channelId: string, recordedAt: number, contactId: string | null = 'contact_1') =>
  `INSERT INTO inbound_messages (channel_id, channel_message_id, contact_id, kind, at, recorded_at, content)
   VALUES ('${channelId}', '${id}', ${contactId === null ? 'NULL' : `'${contactId}'`}, 'text', 1, ${recordedAt}, '{}');`

/** Messages of users from before they had numbers, in two workspaces, one of which has two channels. */
export const olderInbound = [
  "INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'One', 1), ('ws_2', 'Two', 1);",
  channel('chan_1', 'ws_1'),
  channel('chan_2', 'ws_1'),
  channel('chan_3', 'ws_2'),
  received('c', 'chan_1', 30),
  received('a', 'chan_1', 10),
  received('b', 'chan_2', 20),
  received('foreign', 'chan_1', 15, null),
  received('other', 'chan_3', 5),
  // A contact, and one that was forgotten.
  "INSERT INTO contacts (id, workspace_id, phone, created_at, updated_at) VALUES ('contact_1', 'ws_1', '+491', 1, 1);",
  "INSERT INTO contacts (id, workspace_id, created_at, updated_at) VALUES ('contact_2', 'ws_1', 1, 1);",
  received('d', 'chan_1', 40, 'contact_2'),
].join('\n')

/** By their ids: the workspace and the number that each gets. */
export const numberedInbound = [
  ['a', 'ws_1', 1],
  ['b', 'ws_1', 2],
  ['c', 'ws_1', 3],
  ['d', 'ws_1', 4],
  ['foreign', null, null],
  ['other', 'ws_2', 1],
]

export const countedInbound = [
  ['ws_1', 4],
  ['ws_2', 1],
]

/** The last number that was heard of each contact, which is read: nothing old becomes unread. */
export const heardInbound = [
  ['contact_1', 3, 3],
  ['contact_2', null, 0],
]
