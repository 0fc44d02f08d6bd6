/** Method and route of each endpoint, below `partnerPrefix`. A test compares them with the API document. */
export const partnerCalls = [
  'POST /messages/send',
  'GET /messages/:messageId',
  'GET /events',
  'GET /templates',
  'GET /inbound',
  'GET /inbound/:inboundId',
  'POST /inbound/:inboundId/read',
  'POST /media',
  'GET /media/:mediaId',
  'GET /contacts',
  'GET /contacts/:contactId',
] as const

/** Of a path that no endpoint has. The path itself is the caller's, and is kept nowhere. */
export const unknownCall = 'no such route'

export type PartnerCall = (typeof partnerCalls)[number] | typeof unknownCall
