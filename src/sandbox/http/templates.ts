import { dayMs } from '../../base/durations.ts'
import { isObject, isText, type JsonObject, list } from '../../base/json.ts'
import { nameBlockedDays } from '../../base/upstreamLimits.ts'
import type { CheckedTemplate } from '../checks/newParts.ts'
import { checkIdentity, checkNewTemplate } from '../checks/newTemplate.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { BOUNDS } from '../state/defaults.ts'
import { exampleAddress } from '../state/exampleFiles.ts'
import type { Component, SandboxTemplate } from '../state/records.ts'
import type { SandboxState } from '../state/sandboxState.ts'

// docs/upstream.md#template-creation

type Outcome = { readonly value: JsonObject } | { readonly refusal: Refusal }

const refused = (refusal: Refusal): Outcome => ({ refusal })

const editableStatuses = ['APPROVED', 'REJECTED', 'PAUSED']
/** An approved template is edited once within this time, and so often within 30 days. */
const editGapMs = dayMs
const editsMax = 10
const editsPeriodMs = 30 * dayMs
/** Ids of one `hsm_ids` deletion. */
const deletedIdsMax = 100

/** `POST /<ACCOUNT_ID>/message_templates`: stored as `PENDING`, reviewed after `settings.reviewAfterMs`. */
export function createTemplate(state: SandboxState, body: JsonObject): Outcome {
  const identity = checkIdentity(body)
  if (identity) return refused(identity)
  const checked = checkNewTemplate(body, state.uploads)
  if ('code' in checked) return refused(checked)
  const { templates } = state
  const name = String(body.name)
  const language = String(body.language)
  if (templates.plan(name, language))
    return refused(PROBLEMS.templateRule(2388024, `There is already content in ${language} for this template.`))
  if (templates.isBlocked(name, state.clock.now()))
    return refused(PROBLEMS.templateRule(2388023, `The name was deleted, and is blocked for ${nameBlockedDays} days.`))
  // The upstream names no code for this; the choice is ours.
  if (!templates.admitCreation(state.clock.now())) return refused({ code: 80008, status: 400 })
  const template = templates.put({
    name,
    language,
    category: checked.category,
    status: 'PENDING',
    parameter_format: checked.isNamed ? 'NAMED' : 'POSITIONAL',
    ...storedParts(state, checked),
  })
  if (!template)
    return refused(PROBLEMS.templateRule(2388019, `The account has ${BOUNDS.templates} templates, and no more.`))
  state.reviews.plan(template, state.settings.reviewAfterMs)
  return { value: { id: template.id, status: template.status, category: template.category } }
}

/** `POST /<TEMPLATE_ID>`: replaces the components; the template is reviewed again. Name and language stay. */
export function editTemplate(state: SandboxState, known: SandboxTemplate, body: JsonObject): Outcome {
  const now = state.clock.now()
  if (known.source === 'AUTO_GENERATED')
    return refused(PROBLEMS.templateRule(2388318, 'A template that was made by Direct Send cannot be edited.'))
  if (!editableStatuses.includes(known.status))
    return refused(PROBLEMS.templateRule(2388039, `A template that is ${known.status} cannot be edited.`))
  const isApproved = known.status === 'APPROVED'
  if (isApproved && body.category !== undefined && body.category !== known.category)
    return refused(PROBLEMS.templateRule(2388039, 'The category of an approved template cannot change.'))
  const edits = list(known.edits).filter(at => typeof at === 'number' && now - at < editsPeriodMs)
  if (isApproved && edits.some(at => now - Number(at) < editGapMs))
    return refused(PROBLEMS.templateRule(2388039, 'An approved template is edited once in 24 hours.'))
  if (isApproved && edits.length >= editsMax)
    return refused(PROBLEMS.templateRule(2388039, `An approved template is edited ${editsMax} times in 30 days.`))
  const { message_send_ttl_seconds, category = known.category } = body
  const checked = checkNewTemplate(
    {
      category,
      parameter_format: known.parameter_format,
      components: body.components ?? known.components,
      ...(message_send_ttl_seconds !== undefined && { message_send_ttl_seconds }),
    },
    // What is stored already has an address in place of its handle.
    body.components === undefined ? { find: () => 'stored' } : state.uploads,
  )
  if ('code' in checked) return refused(checked)
  const template = state.templates.put({
    ...known,
    category: checked.category,
    ...storedParts(state, checked),
    status: 'PENDING',
    rejected_reason: 'NONE',
    edits: [...edits, now],
  })
  if (template) state.reviews.plan(template, state.settings.reviewAfterMs)
  return { value: { success: true } }
}

/** What a creation or an edit stores: the listing has an address where the request has the handle of an example. */
function storedParts({ uploads }: SandboxState, { components, lifetime }: CheckedTemplate) {
  const addressed = (component: Component): Component => {
    const [handle] = isObject(component.example) ? list(component.example.header_handle) : []
    const file = isText(handle) ? uploads.find(handle) : undefined
    const address = exampleAddress(component.format, file?.fileName ?? 'file')
    return {
      ...component,
      ...(handle !== undefined && { example: { header_handle: [address] } }),
      ...(component.cards && {
        cards: component.cards.map(card => ({ ...card, components: card.components.map(addressed) })),
      }),
    }
  }
  return {
    components: components.map(addressed),
    ...(lifetime !== undefined && { message_send_ttl_seconds: lifetime }),
  }
}

/**
 * `DELETE /<ACCOUNT_ID>/message_templates`: every language of a name, one by `hsm_id` and `name`, or many `hsm_ids`.
 */
export function deleteTemplates(state: SandboxState, query: URLSearchParams): Outcome {
  const chosen = chosenBy(state, query)
  if ('code' in chosen) return refused(chosen)
  if (chosen.some(({ status }) => status === 'DISABLED'))
    return refused(PROBLEMS.invalidParameter('A disabled template cannot be deleted.'))
  if (chosen.some(({ source }) => source === 'AUTO_GENERATED'))
    return refused(PROBLEMS.templateRule(2388330, 'A template that was made by Direct Send cannot be deleted.'))
  for (const { name, language, status } of chosen) {
    state.templates.delete(name, language)
    if (status === 'APPROVED') state.templates.block(name, state.clock.now())
  }
  return { value: { success: true } }
}

/** @returns the templates to delete, at least one; all or none. */
function chosenBy({ templates }: SandboxState, query: URLSearchParams): readonly SandboxTemplate[] | Refusal {
  const name = query.get('name')
  const id = query.get('hsm_id')
  const ids = query.get('hsm_ids')
  if (ids !== null) {
    if (name !== null || id !== null) return PROBLEMS.invalidParameter('hsm_ids cannot be combined with name or hsm_id')
    const wanted = idsOf(ids)
    if (wanted.length === 0 || wanted.length > deletedIdsMax)
      return PROBLEMS.invalidParameter(`hsm_ids names 1 to ${deletedIdsMax} ids`)
    const found = wanted.flatMap(one => templates.find(one) ?? [])
    return found.length === wanted.length
      ? found
      : PROBLEMS.invalidParameter('hsm_ids names a template that does not exist')
  }
  if (name === null) return PROBLEMS.required('name')
  const found = templates.list().filter(one => one.name === name && (id === null || one.id === id))
  return found.length > 0 ? found : PROBLEMS.invalidParameter(`No template has the name ${name}`)
}

/** `[1,2]`, `["1","2"]` or `1,2`: clients write all three. Ids are longer than numbers are exact, so text is kept. */
const idsOf = (text: string): string[] => list(text.match(/\d+/g)).filter(isText)
