import { nameInLink } from '../../base/fileName.ts'
import { field, isText, list, text } from '../../base/json.ts'
import { codeWays, templateCategories } from '../../forms/templates.ts'
import type { TemplateButton, TemplateComponent, TemplateRecord } from '../../graph/wire.ts'
import { readExamples } from '../examples.ts'
import { headerExample } from '../headerExamples.ts'
import { readStructure } from '../structure.ts'
import {
  type AppDraft,
  type ButtonDraft,
  type CardDraft,
  emptyBody,
  emptyDraft,
  type HeaderDraft,
  type OneTimeCodeDraft,
  type TemplateDraft,
} from './draft.ts'
import { mediaKinds } from './kinds.ts'

/** A stored template, made ready to be edited or copied. */
export interface DraftReading {
  readonly draft: TemplateDraft
  /** Parts that a draft cannot hold, in words; a template with such parts cannot be edited here. */
  readonly lost: readonly string[]
}

type Components = readonly TemplateComponent[]

/**
 * Reads a listed template back into a draft. Handles of examples are empty, because a listing has only a URL instead
 * (docs/upstream.md#template-creation): the file has to be chosen again. Its name is that in the URL.
 */
export function draftOf(record: TemplateRecord): DraftReading {
  const components = record.components ?? []
  const category = templateCategories.find(known => known === record.category.toUpperCase()) ?? 'UTILITY'
  const parameterFormat = record.parameter_format?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL'
  const structure = readStructure({ ...record, parameter_format: parameterFormat })
  const lost: string[] = []
  const isAuthentication = category === 'AUTHENTICATION'
  const find = (type: string) => components.find(component => component.type.toUpperCase() === type)
  const examples = readExamples(structure, components, isAuthentication ? 'code' : 'text')
  const parts = readParts(components, examples, isAuthentication, lost)
  const offer = find('LIMITED_TIME_OFFER')?.limited_time_offer
  for (const { type } of components) if (!knownTypes.includes(type.toUpperCase())) lost.push(`a component ${type}`)
  const cards = (find('CAROUSEL')?.cards ?? []).map((card, at): CardDraft => {
    const shape = structure.cards[at]
    const inner = card.components ?? []
    const own = shape && readExamples(shape, inner, 'text')
    const { header, body, buttons } = readParts(inner, own, false, lost)
    return { header, body: inner.some(({ type }) => type.toUpperCase() === 'BODY') ? body : null, buttons }
  })
  return {
    draft: {
      ...emptyDraft,
      name: record.name,
      language: record.language.replace('-', '_'),
      category,
      parameterFormat,
      header: parts.header,
      body: isAuthentication ? emptyBody : parts.body,
      footer: isAuthentication ? '' : (find('FOOTER')?.text ?? ''),
      buttons: parts.buttons,
      cards,
      offer: offer ? { text: offer.text ?? '', hasExpiration: offer.has_expiration === true } : null,
      code: isAuthentication
        ? {
            securityRecommendation: find('BODY')?.add_security_recommendation === true,
            expirationMinutes: find('FOOTER')?.code_expiration_minutes ?? null,
          }
        : emptyDraft.code,
    },
    lost: [...new Set(lost)],
  }
}

const knownTypes = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER']

type Examples = ReturnType<typeof readExamples>

function readParts(components: Components, examples: Examples | undefined, isCode: boolean, lost: string[]) {
  const find = (type: string) => components.find(component => component.type.toUpperCase() === type)
  const body = find('BODY')
  const buttons = (find('BUTTONS')?.buttons ?? []).flatMap((button, at) => {
    const known = isCode ? readCode(button) : readButton(button, examples?.urls.get(String(at)) ?? '')
    if (known === null) lost.push(`a button ${button.type}`)
    return known ?? []
  })
  return {
    header: readHeader(find('HEADER'), examples, lost),
    body: { text: body?.text ?? '', examples: Object.fromEntries(examples?.body ?? []) },
    buttons,
  }
}

function readHeader(
  header: TemplateComponent | undefined,
  examples: Examples | undefined,
  lost: string[],
): HeaderDraft {
  if (!header) return { kind: 'none' }
  const format = (header.format ?? 'TEXT').toLowerCase()
  const media = mediaKinds.find(kind => kind === format)
  if (media) return { kind: media, handle: '', fileName: nameInLink(headerExample(header)?.link ?? '') ?? '' }
  if (format === 'location' || format === 'product') return { kind: format }
  if (format === 'text') return { kind: 'text', text: header.text ?? '', example: examples?.header ?? '' }
  lost.push(`a header ${header.format}`)
  return { kind: 'none' }
}

function readButton(button: TemplateButton, urlExample: string): ButtonDraft | null {
  const label = button.text ?? ''
  switch (button.type.toUpperCase()) {
    case 'QUICK_REPLY':
      return { kind: 'quickReply', text: label }
    case 'URL':
      return { kind: 'url', text: label, url: button.url ?? '', example: urlExample }
    case 'PHONE_NUMBER':
      return { kind: 'phone', text: label, phone: button.phone_number ?? '' }
    case 'COPY_CODE':
      return { kind: 'copyCode', example: isText(button.example) ? button.example : (button.example?.[0] ?? '') }
    case 'FLOW': {
      const action = text(field(button, 'flow_action'))?.toLowerCase()
      return {
        kind: 'flow',
        text: label,
        flowId: text(field(button, 'flow_id')) ?? String(field(button, 'flow_id') ?? ''),
        action: action === 'data_exchange' ? action : 'navigate',
        screen: text(field(button, 'navigate_screen')) ?? '',
      }
    }
    case 'CATALOG':
      return { kind: 'catalog', text: label }
    case 'MPM':
      return { kind: 'multiProduct', text: label }
    case 'SPM':
      return { kind: 'singleProduct', text: label }
    case 'VOICE_CALL':
      return { kind: 'voiceCall', text: label }
    case 'REQUEST_CONTACT_INFO':
      return { kind: 'contactInfo', text: label }
    default:
      return null
  }
}

/** Created as `OTP` and listed as `URL`, with the way in its address (docs/upstream.md#templates). */
function readCode(button: TemplateButton): OneTimeCodeDraft {
  const stated = button.otp_type ?? /otp_type=(\w+)/.exec(button.url ?? '')?.[1]
  const apps = list(field(button, 'supported_apps')).map(
    (app): AppDraft => ({
      packageName: text(field(app, 'package_name')) ?? '',
      signatureHash: text(field(app, 'signature_hash')) ?? '',
    }),
  )
  return {
    kind: 'oneTimeCode',
    way: codeWays.find(way => way === stated?.toUpperCase()) ?? 'COPY_CODE',
    text: button.text ?? '',
    autofillText: text(field(button, 'autofill_text')) ?? '',
    apps,
    termsAccepted: field(button, 'zero_tap_terms_accepted') === true,
  }
}
