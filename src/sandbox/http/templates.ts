import { isText, type JsonObject, list } from '../../json.ts'
import { checkIdentity, checkNewTemplate } from '../checks/newTemplate.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { BOUNDS } from '../state/defaults.ts'
import type { Template } from '../state/records.ts'
import type { SandboxState } from '../state/sandboxState.ts'

// docs/upstream.md#template-creation

type Outcome = { readonly value: JsonObject } | { readonly refusal: Refusal }

const refused = (refusal: Refusal): Outcome => ({ refusal })

const editableStatuses = ['APPROVED', 'REJECTED', 'PAUSED']
/** An approved template is edited once within this time. */
const editGapMs = 86_400_000
/** Ids of one `hsm_ids` deletion. */
const idsMax = 100

/** `POST /<ACCOUNT_ID>/message_templates`: stored as `PENDING`, reviewed after `settings.reviewAfterMs`. */
export function createTemplate(state: SandboxState, body: JsonObject): Outcome {
  const identity = checkIdentity(body)
  if (identity) return refused(identity)
  const checked = checkNewTemplate(body)
  if ('code' in checked) return refused(checked)
  const { templates } = state
  const name = String(body.name)
  const language = String(body.language)
  if (templates.plan(name, language))
    return refused(PROBLEMS.templateRule(2388024, `There is already content in ${language} for this template.`))
  if (templates.isBlocked(name, state.clock.now()))
    return refused(PROBLEMS.templateRule(2388023, 'The name was deleted, and is blocked for 30 days.'))
  const template = templates.put({
    name,
    language,
    category: checked.category,
    status: 'PENDING',
    parameter_format: checked.isNamed ? 'NAMED' : 'POSITIONAL',
    components: checked.components,
  })
  if (!template)
    return refused(PROBLEMS.templateRule(2388019, `The account has ${BOUNDS.templates} templates, and no more.`))
  state.reviews.plan(template, state.settings.reviewAfterMs)
  return { value: { id: template.id, status: template.status, category: template.category } }
}

/** `POST /<TEMPLATE_ID>`: replaces the components; the template is reviewed again. Name and language stay. */
export function editTemplate(state: SandboxState, known: Template, body: JsonObject): Outcome {
  const now = state.clock.now()
  if (!editableStatuses.includes(known.status))
    return refused(PROBLEMS.templateRule(2388039, `A template that is ${known.status} cannot be edited.`))
  const isApproved = known.status === 'APPROVED'
  if (isApproved && body.category !== undefined && body.category !== known.category)
    return refused(PROBLEMS.templateRule(2388039, 'The category of an approved template cannot change.'))
  if (isApproved && typeof known.editedAt === 'number' && now - known.editedAt < editGapMs)
    return refused(PROBLEMS.templateRule(2388039, 'An approved template is edited once in 24 hours.'))
  const { category = known.category, parameter_format = known.parameter_format, components = known.components } = body
  const checked = checkNewTemplate({ category, parameter_format, components })
  if ('code' in checked) return refused(checked)
  const template = state.templates.put({
    ...known,
    category: checked.category,
    components: checked.components,
    status: 'PENDING',
    editedAt: now,
  })
  if (template) state.reviews.plan(template, state.settings.reviewAfterMs)
  return { value: { success: true } }
}

/** `DELETE /<ACCOUNT_ID>/message_templates`: every language of a name, one by `hsm_id` and `name`, or many `hsm_ids`. */
export function deleteTemplates(state: SandboxState, query: URLSearchParams): Outcome {
  const chosen = chosenBy(state, query)
  if ('code' in chosen) return refused(chosen)
  if (chosen.some(({ status }) => status === 'DISABLED'))
    return refused(PROBLEMS.invalidParameter('A disabled template cannot be deleted.'))
  for (const { name, language, status } of chosen) {
    state.templates.delete(name, language)
    if (status === 'APPROVED') state.templates.block(name, state.clock.now())
  }
  return { value: { success: true } }
}

/** @returns the templates to delete, at least one; all or none. */
function chosenBy({ templates }: SandboxState, query: URLSearchParams): readonly Template[] | Refusal {
  const name = query.get('name')
  const id = query.get('hsm_id')
  const ids = query.get('hsm_ids')
  if (ids !== null) {
    if (name !== null || id !== null) return PROBLEMS.invalidParameter('hsm_ids cannot be combined with name or hsm_id')
    const wanted = idsOf(ids)
    if (wanted.length === 0 || wanted.length > idsMax)
      return PROBLEMS.invalidParameter(`hsm_ids names 1 to ${idsMax} ids`)
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
