import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import type { Delivery, Webhook } from './queries.ts'

const tones: Readonly<Record<Delivery['state'], Tone>> = { pending: 'busy', delivered: 'good', failed: 'bad' }

export const DeliveryBadge = ({ state }: Pick<Delivery, 'state'>) => (
  <StatusBadge tone={tones[state]}>{words.deliveryStates[state]}</StatusBadge>
)

/** What came back, in a few words: the status, or why there is none. */
export const AttemptAnswer = ({ attempt: { status, error } }: { attempt: Delivery['attempts'][number] }) => (
  <span className="breakable">{status ?? error}</span>
)

/** When it is tried next. An endpoint that is off gets nothing until it is on. */
export function NextAttempt({ delivery, webhook }: { delivery: Pick<Delivery, 'nextAt'>; webhook: Webhook }) {
  if (delivery.nextAt === null) return words.noNext
  return webhook.state === 'off' ? words.whenOn : <Time at={delivery.nextAt} precision="relative" />
}
