import { GatewayError, type Issue } from '../../base/errors.ts'
import { passScope } from '../../base/keyScopes.ts'
import type { FieldsOwner } from '../../http/dropInCalls.ts'
import { hasScope, lacking } from '../../http/scopes.ts'
import type { PartnerCaller } from '../caller.ts'

/**
 * The `fields` that the calls of this API may ask for, by what they read (docs/drop-in.md#fields). The platform answers
 * an edge of an object as a field of it, too, and with the gateway's token it answers them all: so what is not named
 * here needs the scope of calls that this gateway does not know.
 */
export const fieldsOf = {
  line: [
    ...['id', 'display_phone_number', 'verified_name', 'country_code', 'country_dial_code', 'username'],
    ...['status', 'name_status', 'new_name_status', 'new_display_name', 'code_verification_status', 'account_mode'],
    ...['quality_rating', 'quality_score', 'throughput', 'health_status', 'last_onboarded_time', 'search_visibility'],
    ...['messaging_limit_tier', 'whatsapp_business_manager_messaging_limit', 'platform_type', 'host_platform'],
    ...['is_official_business_account', 'is_on_biz_app', 'is_pin_enabled', 'is_preverified_number'],
  ],
  template: [
    ...['id', 'name', 'language', 'status', 'category', 'sub_category', 'components', 'parameter_format'],
    ...['previous_category', 'correct_category', 'quality_score', 'rejected_reason'],
    ...['last_updated_time', 'message_send_ttl_seconds', 'library_template_name', 'display_format', 'health_status'],
    'cta_url_link_tracking_opted_out',
  ],
  profile: [
    ...['id', 'about', 'address', 'description', 'email', 'messaging_product', 'profile_picture_url', 'vertical'],
    'websites',
  ],
  blockedUser: ['id', 'messaging_product', 'wa_id'],
  file: [],
} as const satisfies Record<Exclude<FieldsOwner, 'other'>, readonly string[]>

/** Names alone: in braces, parentheses or with dots, the platform shows what else our token may see. */
const fieldsPattern = /^[a-z0-9_]{1,60}(,[a-z0-9_]{1,60})*$/
/**
 * The numbers of an account are such a field, with its filters behind it: `analytics.start(1).end(2).granularity(DAY)`.
 * The values are words, numbers and lists of them.
 */
const analyticsPattern =
  /(?<=^|,)((?:conversation_|pricing_)?analytics)(?:\.[a-z_]{1,40}\([\w+[\]", -]{0,1000}\)){1,20}(?=,|$)/g

/** Whom a line has blocked is read by a call of its own, which needs a scope that is none of these. */
const readElsewhere = 'block_users'

/**
 * @param fields as a client gave them
 * @returns the problem of their form
 * @throws GatewayError FORBIDDEN for fields that the key may not ask for
 */
export function fieldsIssue({ scopes }: PartnerCaller, owner: FieldsOwner, fields: unknown): Issue[] {
  if (fields === '') return []
  const asked = typeof fields === 'string' && owner === 'other' ? fields.replaceAll(analyticsPattern, '$1') : fields
  if (typeof asked !== 'string' || !fieldsPattern.test(asked))
    return [{ path: '/fields', message: 'must be names, with commas' }]
  const names = asked.split(',')
  if (names.includes(readElsewhere))
    return [{ path: '/fields', message: `${readElsewhere} is read by a call of its own` }]
  const known: readonly string[] | null = owner === 'other' ? null : fieldsOf[owner]
  const unknown = known === null ? undefined : names.find(name => !known.includes(name))
  if (unknown === undefined || hasScope(scopes, passScope)) return []
  const { details, ...refusal } = lacking(passScope)
  const hint = `The field ${unknown} needs the scope ${passScope}, which the API key lacks.`
  throw new GatewayError({ ...refusal, details: { ...details, hint } })
}
