import type { Message, Template, TimelineEntry } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Clock, EpochMs, SteadyMs } from '../base/clock.ts'
import { hourMs, minuteMs } from '../base/durations.ts'
import { type Issue, issuesIn } from '../base/errors.ts'
import { field, list, parseObject, text } from '../base/json.ts'
import { readFault, type UpstreamFault } from '../graph/answer.ts'
import { mayBeMisfit } from '../graph/codes.ts'
import { compareComponents } from '../templates/compare.ts'
import { templateRecord } from '../templates/record.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { readStructure } from '../templates/structure.ts'
import { findTemplate, noTemplate } from './compose.ts'

/** What a send names and fills, as it goes upstream. */
export interface SentTemplate {
  readonly name: string
  /** Undefined: that of the only approved template of the name. */
  readonly language: string | undefined
  readonly components: readonly unknown[]
}

/** Ours: the timeline of a message keeps them, and more than these nobody reads at once. */
const explainedMax = 20

/**
 * Ours: listings of one account that refused sends cause in an hour, besides that one is read at most once a minute. A
 * caller that goes on with what is refused must not use up the calls that the account has (docs/upstream.md#templates).
 */
const renewalsMax = 10

/**
 * @returns what of a send does not fit into the template that the listing has, each with a pointer into the body of
 *   the send; empty: it fits
 */
export async function misfits(
  read: Pick<StoreReads, 'templatesNamed'>,
  channelId: string,
  { name, language, components }: SentTemplate,
  now: EpochMs,
): Promise<Issue[]> {
  const match = await findTemplate(read, channelId, { name, language })
  if (match.kind !== 'found') {
    const isLanguage = match.kind === 'unknownLanguage' || match.kind === 'ambiguousLanguage'
    return issuesIn(noTemplate(match), isLanguage ? '/templateLanguage' : '/templateName')
  }
  return [...languageIssues(match.template, language), ...componentIssues(match.template, components, now)]
}

const languageIssues = (template: Template, language: string | undefined): Issue[] =>
  language === undefined || template.language === language
    ? []
    : [{ path: '/templateLanguage', message: `must be ${template.language}: approved is this spelling alone` }]

const componentIssues = (template: Template, components: readonly unknown[], now: EpochMs): Issue[] =>
  compareComponents(components, readStructure(templateRecord(template)), now)

/**
 * Says the same of refusals that came by callback. They are compared when somebody looks, with the listing as it is
 * then: a callback is answered without a call to the upstream, or a read of templates.
 * @param payload the upstream's request; null: it is no longer stored, and nothing can be said
 * @returns the entries, with what does not fit in the details of such refusals, as an answer's has it
 */
export async function explainReported(
  read: Pick<StoreReads, 'templatesNamed'>,
  { channelId, createdAt }: Pick<Message, 'channelId' | 'createdAt'>,
  payload: string | null,
  recorded: readonly TimelineEntry[],
): Promise<readonly TimelineEntry[]> {
  const isMisfit = ({ kind, detail }: TimelineEntry) => {
    const fault = kind === 'failed' ? readFault(list(field(detail, 'errors'))[0], null, []) : null
    return fault !== null && mayBeMisfit(fault)
  }
  const sent = payload !== null && recorded.some(isMisfit) ? sentTemplate(payload) : null
  const issues = sent === null ? [] : (await misfits(read, channelId, sent, createdAt)).slice(0, explainedMax)
  if (issues.length === 0) return recorded
  return recorded.map(entry => (isMisfit(entry) ? { ...entry, detail: { ...entry.detail, issues } } : entry))
}

interface ExplainerParts {
  readonly store: { readonly read: Pick<StoreReads, 'templatesNamed'> }
  readonly templateRefresher: Pick<TemplateRefresher, 'renew'>
  readonly clock: Clock
}

/** Says why the upstream refused a template, beside its own words. */
export class Explainer {
  readonly #parts: ExplainerParts
  /** When the listing of a channel was read for an explanation, within the last hour. */
  readonly #renewedAt = new Map<string, SteadyMs[]>()

  constructor(parts: ExplainerParts) {
    this.#parts = parts
  }

  /**
   * Compares what was sent with the template as the listing has it, which is read again when it is older than a minute.
   * @param payload the upstream's request that was refused
   * @returns the fault, with what does not fit; as it was when nothing is found, or it is about something else
   */
  async explain(channelId: string, payload: string, fault: UpstreamFault): Promise<UpstreamFault> {
    const sent = mayBeMisfit(fault) ? sentTemplate(payload) : null
    if (sent === null) return fault
    await this.#renew(channelId)
    const { store, clock } = this.#parts
    const issues = await misfits(store.read, channelId, sent, clock.now())
    return issues.length === 0 ? fault : { ...fault, issues: issues.slice(0, explainedMax) }
  }

  async #renew(channelId: string): Promise<void> {
    const { templateRefresher, clock } = this.#parts
    const now = clock.steady()
    const recent = () => (this.#renewedAt.get(channelId) ?? []).filter(at => now - at < hourMs)
    if (recent().length >= renewalsMax || (await templateRefresher.renew(channelId)) === 'new') return
    // One that takes long counts too: it is the longest. Others may have waited for the same.
    if (recent().every(at => now - at >= minuteMs)) this.#renewedAt.set(channelId, [...recent(), now])
  }
}

/** @returns null for a request of another kind */
function sentTemplate(payload: string): SentTemplate | null {
  const template = parseObject(payload)?.template
  const name = text(field(template, 'name'))
  const language = text(field(field(template, 'language'), 'code'))
  return name === null || language === null ? null : { name, language, components: list(field(template, 'components')) }
}
