import type { EpochMs } from '../../base/clock.ts'
import { dayMs, hourMs } from '../../base/durations.ts'
import { nameBlockedDays } from '../../base/upstreamLimits.ts'
import { BoundedMap } from './bounded.ts'
import { BOUNDS } from './defaults.ts'
import { newNumericId, type Random } from './random.ts'

/** A component as the listing shows it. The stand-in keeps what it is given and reads only what it checks. */
export interface Component {
  readonly type: string
  readonly format?: string
  readonly text?: string
  readonly buttons?: readonly Button[]
  readonly cards?: readonly { readonly components: readonly Component[] }[]
  readonly limited_time_offer?: { readonly text?: string; readonly has_expiration?: boolean }
  readonly [more: string]: unknown
}

export interface Button {
  readonly type: string
  readonly text?: string
  readonly url?: string
  readonly [more: string]: unknown
}

/** One template in one language. */
export interface SandboxTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly status: string
  readonly parameter_format: string
  readonly components: readonly Component[]
  readonly [more: string]: unknown
}

/** What a send of this template has to fill; computed once, when the template is stored. */
export interface Plan {
  readonly template: SandboxTemplate
  readonly named: boolean
  readonly authentication: boolean
  readonly parts: Parts
  readonly cards: readonly Parts[] | undefined
  /** The expiry of an expiring offer must be sent. */
  readonly offer: { readonly expires: boolean } | undefined
}

/** The parts that a message and a card have in common. */
export interface Parts {
  readonly header: { readonly format: string; readonly text: string; readonly variables: readonly string[] } | undefined
  readonly body: { readonly text: string; readonly variables: readonly string[] }
  readonly buttons: readonly ButtonPlan[]
}

export interface ButtonPlan {
  /** Upper case. */
  readonly type: string
  /** What the user taps. */
  readonly label: string
  readonly url: string
  /** Of the address. */
  readonly variables: readonly string[]
}

const variablePattern = /\{\{\s*([^{}]+?)\s*\}\}/g

/** @returns the distinct variables of a text in the order of their first use; positional ones sorted by number. */
export function variablesOf(text: string): string[] {
  const names = [...new Set(Array.from(text.matchAll(variablePattern), match => match[1] ?? ''))]
  return names.every(name => /^\d+$/.test(name)) ? names.sort((a, b) => Number(a) - Number(b)) : names
}

/** @returns the text with each variable replaced; one without a value stays. */
export function fill(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(variablePattern, (whole, name: string) => values.get(name) ?? whole)
}

function partsOf(components: readonly Component[]): Parts {
  const find = (type: string) => components.find(component => component.type.toUpperCase() === type)
  const header = find('HEADER')
  const headerText = header?.text ?? ''
  const bodyText = find('BODY')?.text ?? ''
  return {
    header: header && {
      format: (header.format ?? 'TEXT').toUpperCase(),
      text: headerText,
      variables: variablesOf(headerText),
    },
    body: { text: bodyText, variables: variablesOf(bodyText) },
    buttons: (find('BUTTONS')?.buttons ?? []).map(button => {
      const url = button.url ?? ''
      return { type: button.type.toUpperCase(), label: button.text ?? button.type, url, variables: variablesOf(url) }
    }),
  }
}

function planOf(template: SandboxTemplate): Plan {
  const carousel = template.components.find(component => component.type.toUpperCase() === 'CAROUSEL')
  const offer = template.components.find(component => component.type.toUpperCase() === 'LIMITED_TIME_OFFER')
  const authentication = template.category.toUpperCase() === 'AUTHENTICATION'
  const parts = partsOf(template.components)
  return {
    template,
    named: template.parameter_format.toUpperCase() === 'NAMED',
    authentication,
    parts: authentication ? withCode(parts) : parts,
    cards: carousel?.cards?.map(card => partsOf(card.components)),
    offer: offer && { expires: offer.limited_time_offer?.has_expiration === true },
  }
}

/** What the button of an authentication template is called when it is created, when it is listed, and by mistake. */
const codeButtons: ReadonlySet<string> = new Set(['OTP', 'URL', 'COPY_CODE'])

/**
 * An authentication body is the upstream's own text: the listing may not show it, but it always takes the code. So does
 * the button, whatever kind of code it is stored with.
 */
function withCode({ header, body, buttons }: Parts): Parts {
  return {
    header,
    body: { ...body, variables: ['1'] },
    buttons: buttons.map(button => (codeButtons.has(button.type) ? { ...button, type: 'OTP' } : button)),
  }
}

/** What a template needs to be stored; the rest has defaults. */
export interface TemplateInput {
  readonly id?: string
  readonly name: string
  readonly language: string
  readonly category?: string
  readonly status?: string
  readonly parameter_format?: string
  readonly components: readonly Component[]
  readonly [more: string]: unknown
}

const blockedMs = nameBlockedDays * dayMs
/** Creations within an hour (docs/upstream.md#template-creation). */
const creationsMax = 100

/** The account's templates. Key: name and language, exactly as written. */
export class Templates {
  readonly #plans = new Map<string, Plan>()
  readonly #blocked = new BoundedMap<string, EpochMs>(BOUNDS.templates)
  readonly #random: Random
  #creations: EpochMs[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Counts a creation. @returns false where there were too many within the hour */
  admitCreation(now: EpochMs): boolean {
    this.#creations = this.#creations.filter(at => now - at < hourMs)
    if (this.#creations.length >= creationsMax) return false
    this.#creations.push(now)
    return true
  }

  /** Adds or replaces. @returns the stored record, or nothing when the account has `BOUNDS.templates` already. */
  put(input: TemplateInput): SandboxTemplate | undefined {
    const key = keyOf(input.name, input.language)
    const known = this.#plans.get(key)?.template
    if (!known && this.#plans.size >= BOUNDS.templates) return undefined
    const template: SandboxTemplate = {
      ...input,
      id: input.id ?? known?.id ?? newNumericId(this.#random),
      category: input.category ?? 'UTILITY',
      status: input.status ?? 'APPROVED',
      parameter_format: input.parameter_format ?? 'POSITIONAL',
    }
    this.#plans.set(key, planOf(template))
    return template
  }

  plan(name: string, language: string): Plan | undefined {
    return this.#plans.get(keyOf(name, language))
  }

  /** @param reason why it was rejected */
  setStatus(name: string, language: string, status: string, reason = 'NONE'): SandboxTemplate | undefined {
    const known = this.#plans.get(keyOf(name, language))?.template
    return known && this.put({ ...known, status, rejected_reason: reason })
  }

  delete(name: string, language: string): boolean {
    return this.#plans.delete(keyOf(name, language))
  }

  find(id: string): SandboxTemplate | undefined {
    return this.list().find(template => template.id === id)
  }

  /** Remembers a deleted approved template's name. */
  block(name: string, now: EpochMs): void {
    this.#blocked.set(name, now + blockedMs)
  }

  isBlocked(name: string, now: EpochMs): boolean {
    return (this.#blocked.get(name) ?? 0) > now
  }

  /** @returns all records, in the order they were first stored. */
  list(): SandboxTemplate[] {
    return Array.from(this.#plans.values(), plan => plan.template)
  }

  clear(): void {
    this.#plans.clear()
    this.#blocked.clear()
    this.#creations = []
  }
}

const keyOf = (name: string, language: string): string => `${name} ${language}`
