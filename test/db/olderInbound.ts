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
].join('\n')

/** By their ids: the workspace and the number that each gets. */
export const numberedInbound = [
  ['a', 'ws_1', 1],
  ['b', 'ws_1', 2],
  ['c', 'ws_1', 3],
  ['foreign', null, null],
  ['other', 'ws_2', 1],
]

export const countedInbound = [
  ['ws_1', 3],
  ['ws_2', 1],
]
