/** The functions that the program calls. `bun run migration` writes this file. */
export const functions = {
  accept: 'accept_messages_6',
  acceptAndTell: 'accept_and_tell_messages_3',
  settle: 'settle_messages_4',
} as const
