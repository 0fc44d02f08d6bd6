import type { Sender } from '../../../messages/senders.ts'
import { useAccount } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.messages

/** @returns a function that names who sent a message: "You" is the person who is signed in, colleagues have names */
export function useSenderName(): (sender: Sender) => string {
  const { user } = useAccount()
  return ({ kind, id, name }) => {
    if (kind === 'key') return name ?? words.unnamedKey
    return id === user.id ? words.you : (name ?? words.sentInConsole)
  }
}
