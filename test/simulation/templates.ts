import type { NewTemplate } from '../../db/contract/records.ts'
import type { TenantNames } from './tenants.ts'

/*
 * The templates of each account, as the platform lists them: one that a history pauses, and those by which sends were
 * seen to be refused.
 */

interface Listed {
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category?: string
  readonly parameter_format?: string
  readonly components: readonly object[]
}

/** The one that the platform pauses. */
export const pausable = { name: 'order', language: 'en_US' } as const

const body = (text: string) => ({ type: 'BODY', text })
const named = {
  header: { type: 'HEADER', format: 'TEXT', text: 'Oi, {{agente}}.' },
  body: { type: 'BODY', text: 'Caso de {{cliente}} aberto.' },
}
const codeAddress = 'https://www.example.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
const buttons = [
  { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550150000' },
  { type: 'URL', text: 'About', url: 'https://shop.example/about' },
]

const listed: readonly Listed[] = [
  { ...pausable, status: 'APPROVED', components: [body('Order {{1}} is packed.')] },
  { name: 'welcome', language: 'pt_BR', status: 'APPROVED', components: [body('Oi {{1}}.')] },
  { name: 'welcome', language: 'es_ES', status: 'APPROVED', components: [body('Hola {{1}}.')] },
  { name: 'welcome', language: 'pt_PT', status: 'REJECTED', components: [body('Olá {{1}}.')] },
  {
    ...{ name: 'resume', language: 'pt_BR', status: 'APPROVED', parameter_format: 'NAMED' },
    components: [named.header, named.body],
  },
  {
    ...{ name: 'login', language: 'en_US', status: 'APPROVED', category: 'AUTHENTICATION' },
    components: [
      body('*{{1}}* is your verification code.'),
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url: codeAddress, example: [codeAddress] }] },
    ],
  },
  {
    ...{ name: 'shop', language: 'en', status: 'APPROVED' },
    components: [body('See {{1}}.'), { type: 'BUTTONS', buttons }],
  },
]

/** @returns the listing of an account. @param status of the one that is paused now and then */
export const listingOf = (status: string) =>
  listed.map((template, at) => ({
    ...{ id: String(1001 + at), category: 'UTILITY', parameter_format: 'POSITIONAL', rejected_reason: 'NONE' },
    ...template,
    ...(template.name === pausable.name && { status }),
  }))

/** @returns the listing as a gateway has read it before a history begins */
export const storedTemplates = ({ channelId }: TenantNames, at: number): NewTemplate[] =>
  listingOf('APPROVED').map(({ id, name, language, category, status, parameter_format, components }, nth) => ({
    ...{ id: `tpl_${channelId.slice(5)}${nth}`, channelId, upstreamId: id, name, language, category, status },
    ...{ parameterFormat: parameter_format, components: JSON.stringify(components), updatedAt: at, lastUpdateAt: null },
  }))
