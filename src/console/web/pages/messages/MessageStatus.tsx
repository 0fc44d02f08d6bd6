import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'

type Status = keyof typeof texts.messages.statuses

export const statuses = Object.keys(texts.messages.statuses) as Status[]

const tones: Readonly<Record<Status, Tone>> = {
  SCHEDULED: 'quiet',
  QUEUED: 'quiet',
  SENT: 'busy',
  DELIVERED: 'good',
  READ: 'good',
  FAILED: 'bad',
  UNKNOWN: 'warning',
  CANCELLED: 'quiet',
}

/** The status of a message. */
export function MessageStatusBadge({ status }: { status: keyof typeof tones }) {
  return <StatusBadge tone={tones[status]}>{texts.messages.statuses[status]}</StatusBadge>
}
