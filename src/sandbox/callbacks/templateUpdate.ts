import type { EpochMs } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import type { SandboxTemplate } from '../state/records.ts'
import type { Update } from './envelope.ts'

/** A change of a template's status for a callback. */
export interface TemplateEvent {
  readonly name: string
  readonly language: string
  /** Any word: the upstream adds new ones. */
  readonly event: string
  readonly reason?: string
  readonly recommendation?: string
}

/** A template update: without `metadata`, with a number for an id, and with a hyphen in the language. */
export function templateUpdateOf(
  event: TemplateEvent,
  template: Pick<SandboxTemplate, 'id' | 'category'>,
  now: EpochMs,
): Update {
  const value: JsonObject = {
    event: event.event,
    message_template_id: Number(template.id),
    message_template_name: event.name,
    message_template_language: event.language.replace('_', '-'),
    reason: event.reason ?? 'NONE',
    message_template_category: template.category,
    ...(event.recommendation !== undefined && {
      rejection_info: { reason: event.reason ?? 'NONE', recommendation: event.recommendation },
    }),
    ...(event.event === 'PAUSED' && {
      other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours due to low quality.' },
    }),
    ...(event.event === 'DISABLED' && {
      disable_info: { disable_date: String(Math.floor(now / 1_000)) },
    }),
  }
  return { field: 'message_template_status_update', value }
}
