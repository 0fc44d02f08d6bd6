/** The functions that the program calls. `bun run migration` writes this file. */
export const functions = {
  accept: 'accept_messages_11',
  acceptAndTell: 'accept_and_tell_messages_8',
  settle: 'settle_messages_9',
} as const
