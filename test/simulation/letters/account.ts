import { tenants } from '../tenants.ts'
import { from, type Letters, messages, profile } from './change.ts'

const update = (value: object) => [{ field: 'account_update', value }]
/** The platform writes it as a number, as text, in seconds and in milliseconds. */
const restricted = (expiration: number | string) =>
  update({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }],
  })

const template = (name: string, language: string) => ({
  ...{ message_template_id: 1001, message_template_name: name, message_template_language: language },
})

/** What is about an account, a line, a template, or a person's wishes. */
export const accountLetters: Letters = {
  restriction: () => restricted(1_780_604_800),
  restrictionInText: () => restricted('1780604800'),
  restrictionInMilliseconds: () => restricted(1_780_604_800_000),
  restrictionWithoutEnd: () => update({ event: 'ACCOUNT_RESTRICTION', restriction_info: [] }),
  disabledSoon: () =>
    update({
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: '2026-12-24' },
    }),
  flaggedNumber: ({ tenant }) => [
    {
      field: 'phone_number_quality_update',
      value: { display_phone_number: `1555078388${tenant}`, event: 'FLAGGED', current_limit: 'TIER_1K' },
    },
  ],
  limitOfThePortfolio: () => [
    { field: 'business_capability_update', value: { max_daily_conversations_per_business: 'TIER_2K' } },
  ],
  /** Of one that is not the history's. */
  templateRejected: () => [
    {
      field: 'message_template_status_update',
      value: { ...template('welcome', 'pt_PT'), event: 'REJECTED', reason: 'PROMOTIONAL' },
    },
  ],
  /** It is spelt with a hyphen, and not approved any more; so it was before. */
  templateInAnotherSpelling: () => [
    {
      field: 'message_template_status_update',
      value: { ...template('welcome', 'pt-PT'), event: 'DISABLED', reason: null, disable_info: { disable_date: 'x' } },
    },
  ],
  templateOfNobody: () => [
    { field: 'message_template_status_update', value: { ...template('nobody', 'en'), event: 'APPROVED' } },
  ],
  templateQuality: () => [
    {
      field: 'message_template_quality_update',
      value: { ...template('order', 'en_US'), previous_quality_score: 'GREEN', new_quality_score: 'RED' },
    },
  ],
  templateCategory: () => [
    {
      field: 'template_category_update',
      value: { ...template('shop', 'en'), previous_category: 'MARKETING', new_category: 'UTILITY' },
    },
  ],
  preference: ({ tenant, timestamp }) => [
    messages({ tenant }, { contacts: profile('Ada') }),
    {
      field: 'user_preferences',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: `1555078388${tenant}`, phone_number_id: tenants[tenant].phoneId },
        contacts: profile('Ada'),
        user_preferences: [
          { wa_id: from, detail: 'stop', category: 'marketing_messages', value: 'stop', timestamp: String(timestamp) },
        ],
      },
    },
  ],
  fieldOfTomorrow: about => [
    { field: 'messages_of_tomorrow', value: { anything: [about.timestamp, null, { deep: [[]] }] } },
  ],
  emptyValues: about => [messages(about, {}), { field: 'messages', value: {} }],
}
