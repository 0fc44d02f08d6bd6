import type { Tone } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'

type Status = keyof typeof texts.messages.statuses

export const statuses = Object.keys(texts.messages.statuses) as Status[]
export const types = Object.keys(texts.messages.types) as (keyof typeof texts.messages.types)[]

export const tones: Readonly<Record<Status, Tone>> = {
  QUEUED: 'quiet',
  SENT: 'busy',
  DELIVERED: 'good',
  READ: 'good',
  FAILED: 'bad',
  UNKNOWN: 'warning',
}

/** A recipient as people know it. */
export const recipientText = (recipient: string): string =>
  recipient === 'forgotten' ? texts.messages.forgotten : recipient
