import type { EpochMs } from '../../base/clock.ts'
import { onlyDigits } from '../state/phone.ts'
import type { Update } from './envelope.ts'
import type { InboundInput } from './inboundInput.ts'
import { metadataOf, type SandboxLine } from './statuses.ts'

/** That a user wants no marketing messages (docs/upstream.md#account-updates). */
export function optOutOf(line: SandboxLine, { from, name }: Pick<InboundInput, 'from' | 'name'>, now: EpochMs): Update {
  const user = { wa_id: onlyDigits(from) }
  const preference = {
    ...{ ...user, detail: 'User requested to stop marketing messages', category: 'marketing_messages' },
    ...{ value: 'stop', timestamp: Math.floor(now / 1_000) },
  }
  const value = {
    ...{ messaging_product: 'whatsapp', metadata: metadataOf(line) },
    contacts: [{ profile: { name: name ?? 'Sandbox User' }, ...user }],
    user_preferences: [preference],
  }
  return { field: 'user_preferences', lineId: line.id, value }
}
