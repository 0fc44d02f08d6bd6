import { charCount } from '../../base/chars.ts'
import { isObject, isText, type JsonObject } from '../../base/json.ts'
import { bodyCharsMax, lifetimeSeconds, templateNameCharsMax } from '../../base/upstreamLimits.ts'
import { directSendKinds } from '../../forms/interactive.ts'
import { templateNamePattern } from '../../forms/templates.ts'
import { PROBLEMS } from './problems.ts'
import type { Refusal } from './refusals.ts'

/** What is sent without a template, and charged as one. */
export type DirectCategory = 'utility' | 'authentication'

/** @returns the category under which a free-form message is sent outside the window; undefined: as ever */
export const directCategoryOf = ({ category }: JsonObject): DirectCategory | undefined =>
  category === 'utility' || category === 'authentication' ? category : undefined

/**
 * Checks what Direct Send adds to a free-form message (docs/upstream.md#direct-send); its content is checked elsewhere.
 * @param isOn whether the account has it
 */
export function checkDirectSend(body: JsonObject, isOn: boolean): Refusal | undefined {
  const { category, ttl_seconds: ttl, direct_send_config: config, type = 'text', text, interactive } = body
  const direct = directCategoryOf(body)
  if (category !== undefined && !direct && category !== 'service')
    return PROBLEMS.notOneOf('category', ['utility', 'authentication', 'service'])
  if (!direct) return ttl === undefined && config === undefined ? undefined : PROBLEMS.ttlAlone()
  if (!isOn) return PROBLEMS.directSendOff()
  if (direct === 'authentication' && body.to === undefined) return { code: 131062 }
  const plain = type === 'text' && isObject(text) ? text : undefined
  const kind = isObject(interactive) ? interactive.type : undefined
  const isTaken =
    plain !== undefined ||
    (direct === 'utility' && type === 'interactive' && directSendKinds.some(known => known === kind))
  if (!isTaken) return PROBLEMS.notDirect(`${String(kind ?? type)} cannot be sent as ${direct}`)
  if (plain && (plain.preview_url === true || charCount(String(plain.body)) > bodyCharsMax))
    return PROBLEMS.notDirect(`a text has at most ${bodyCharsMax} characters, and no preview`)
  const { min, max } = lifetimeSeconds[direct === 'utility' ? 'UTILITY' : 'AUTHENTICATION']
  if (ttl !== undefined && !(Number.isInteger(ttl) && Number(ttl) >= min && Number(ttl) <= max))
    return PROBLEMS.notDirect(`ttl_seconds: ${min} to ${max}`)
  return config === undefined ? undefined : checkConfig(config, direct)
}

function checkConfig(config: unknown, direct: DirectCategory): Refusal | undefined {
  if (!isObject(config)) return PROBLEMS.notAnObject('direct_send_config')
  if (direct !== 'utility') return PROBLEMS.notDirect('direct_send_config is for category utility')
  const { template_name: name } = config
  return name === undefined || (isText(name) && templateNamePattern.test(name) && name.length <= templateNameCharsMax)
    ? undefined
    : PROBLEMS.notDirect('template_name has a-z, 0-9 and _')
}
