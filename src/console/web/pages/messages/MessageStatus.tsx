import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { tones } from './words.ts'

/** The status of a message. */
export function MessageStatusBadge({ status }: { status: keyof typeof tones }) {
  return <StatusBadge tone={tones[status]}>{texts.messages.statuses[status]}</StatusBadge>
}
