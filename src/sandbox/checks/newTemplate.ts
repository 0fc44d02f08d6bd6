import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { lifetimeSeconds, templateNameCharsMax } from '../../base/upstreamLimits.ts'
import { languagePattern, templateCategories, templateNamePattern } from '../../forms/templates.ts'
import type { Component } from '../state/records.ts'
import { checkNewButtons } from './newButtons.ts'
import { checkAuthentication, checkNewCarousel, checkOffer } from './newKinds.ts'
import { type CheckedTemplate, checkNewPart, componentType, type Handles } from './newParts.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

// docs/upstream.md#template-creation has the rules; where the upstream names no code, the choice is ours.

const lifetimes: Readonly<Record<string, { readonly min: number; readonly max: number } | null>> = lifetimeSeconds

/** Checks name, language and category: the fields that an edit cannot change. */
export function checkIdentity({ name, language }: JsonObject): Refusal | undefined {
  if (!isText(name)) return PROBLEMS.required('name')
  if (!templateNamePattern.test(name) || name.length > templateNameCharsMax)
    return PROBLEMS.templateRule(
      2388046,
      `A name has lower-case letters, digits and underscores, at most ${templateNameCharsMax}.`,
    )
  if (!isText(language)) return PROBLEMS.required('language')
  return languagePattern.test(language) ? undefined : PROBLEMS.notOneOf('language', ['the supported languages'])
}

/** Checks what a template is made of, types first, then each component, then how they go together. */
export function checkNewTemplate(body: JsonObject, handles: Handles): CheckedTemplate | Refusal {
  const category = isText(body.category) ? body.category.toUpperCase() : undefined
  if (!templateCategories.some(known => known === category)) return PROBLEMS.notOneOf('category', templateCategories)
  const isNamed = isText(body.parameter_format) && body.parameter_format.toUpperCase() === 'NAMED'
  if (!Array.isArray(body.components) || body.components.length === 0) return PROBLEMS.required('components')
  if (!body.components.every(isComponent)) return PROBLEMS.wrongType('components', 'an array of objects with a type')
  const components: readonly Component[] = body.components
  const { message_send_ttl_seconds: lifetime } = body
  const checked = { category: category ?? '', isNamed, components, ...(isNumber(lifetime) && { lifetime }) }
  return (
    checkLifetime(category ?? '', lifetime) ??
    firstRefusal(components, part => checkNewPart(part, checked, handles)) ??
    checkTogether(checked) ??
    checked
  )
}

const isComponent = (value: unknown): value is Component => isObject(value) && isText(value.type)
const isNumber = (value: unknown): value is number => typeof value === 'number'

function checkLifetime(category: string, seconds: unknown): Refusal | undefined {
  if (seconds === undefined) return undefined
  const bounds = lifetimes[category] ?? null
  if (bounds === null) return PROBLEMS.invalidParameter(`message_send_ttl_seconds cannot be set for ${category}`)
  const { min, max } = bounds
  return isNumber(seconds) && Number.isInteger(seconds) && seconds >= min && seconds <= max
    ? undefined
    : PROBLEMS.invalidParameter(`message_send_ttl_seconds must be from ${min} to ${max}`)
}

function checkTogether(template: CheckedTemplate): Refusal | undefined {
  const { category, components } = template
  const types = components.map(componentType)
  if (!types.includes('BODY')) return PROBLEMS.required("components['body']")
  if (new Set(types).size !== types.length)
    return PROBLEMS.invalidParameter('A template has at most one component of each type.')
  const isMarketing = types.includes('CAROUSEL') || types.includes('LIMITED_TIME_OFFER')
  if (isMarketing && category !== 'MARKETING') return PROBLEMS.notOneOf('category', ['MARKETING'])
  const buttons = components.find(component => componentType(component) === 'BUTTONS')
  const header = components.find(component => componentType(component) === 'HEADER')
  const refusal = buttons && checkNewButtons(buttons.buttons ?? [], header?.format?.toUpperCase())
  return refusal ?? checkAuthentication(template) ?? checkOffer(template) ?? checkNewCarousel(template)
}
