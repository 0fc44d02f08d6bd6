import { from, type Letters, told, toldOfOwn } from './change.ts'

const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const userId = 'DE.1000000000000001'

const failure = (code: number, title: string, details: string) => ({
  errors: [{ code, title, message: title, error_data: { details } }],
})

/** Statuses. */
export const statusLetters: Letters = {
  deliveredWithoutProfile: about => [
    toldOfOwn(
      about,
      'delivered',
      { pricing, recipient_user_id: userId },
      { contacts: [{ wa_id: from, user_id: userId }] },
    ),
  ],
  readWithConversation(about) {
    const ends = String(about.timestamp + 86_400)
    const conversation = { id: 'c0ffee', expiration_timestamp: ends, origin: { type: 'utility' } }
    return [toldOfOwn(about, 'read', { conversation })]
  },
  failedByItsFile: about => [
    toldOfOwn(about, 'failed', failure(131053, 'Media upload error', 'Unsupported Audio mime type audio/opus.')),
  ],
  failedByItsWindow: about => [
    toldOfOwn(
      about,
      'failed',
      failure(131047, 'Re-engagement message', 'More than 24 hours have passed since the customer last replied.'),
    ),
  ],
  failedByItsPair: about => [
    toldOfOwn(about, 'failed', failure(131056, 'Pair rate limit hit', 'Too many messages to the same phone number.')),
  ],
  failedByTooMuchMarketing: about => [
    toldOfOwn(about, 'failed', failure(131049, 'Not delivered', 'To maintain a healthy ecosystem.')),
  ],
  failedWithoutReason: about => [toldOfOwn(about, 'failed', {})],
  failedOfNobody: about => [
    told(about, {
      ...{ id: 'wamid.HBgLNDkzMDEyMzQwVQIAERgSQTVCMkMzRDRFNUY2QTdCOEM5AA==', status: 'failed' },
      ...failure(131053, 'Media upload error', 'Unsupported Voice mime type audio/opus. Please use audio/ogg.'),
    }),
  ],
  /** The platform writes the number otherwise than it was sent to. */
  deliveredToAnotherSpelling: about => [
    toldOfOwn(about, 'delivered', { recipient_id: '5491155550001' }, { contacts: [{ wa_id: '5491155550001' }] }),
  ],
  /** All at once, the last first. */
  statusesBackwards: about => [
    toldOfOwn(about, 'read', {}),
    toldOfOwn(about, 'delivered', { pricing }),
    toldOfOwn(about, 'sent', { pricing }),
  ],
  /** By its id and our id of it, signed by the wrong account. */
  statusesOfTheOther(about) {
    const id = about.other?.wamid ?? 'wamid.of.the.other'
    const biz = about.other?.messageId ?? 'msg_of_the_other'
    return ['sent', 'delivered', 'read', 'failed'].map(status =>
      told(about, { id, status, biz_opaque_callback_data: biz }),
    )
  },
  statusOfUnknownWord: about => [told(about, { id: about.own?.wamid ?? 'wamid.x', status: 'warning' })],
  statusWithoutId: about => [told(about, { status: 'delivered' })],
}
