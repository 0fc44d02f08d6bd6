/** The functions that the program calls. `bun run migration` writes this file. */
export const functions = {
  accept: 'accept_messages_12',
  acceptAndTell: 'accept_and_tell_messages_9',
  settle: 'settle_messages_10',
} as const
