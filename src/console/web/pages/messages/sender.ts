import type { Sender } from '../../../messages/senders.ts'
import { useAccount } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.messages

/** @returns a function that names who or what sent a message: "You" is the person who is signed in */
export function useSenderName(): (sender: Sender) => string {
  const { user } = useAccount()
  return ({ kind, id, name }) => {
    if (kind !== 'member') return name ?? (kind === 'key' ? words.unnamedKey : words.unnamedCampaign)
    return id === user.id ? words.you : (name ?? words.sentInConsole)
  }
}
