import type { Line, StoreReads, Template } from '../../db/store.ts'
import type { Content } from '../channel/request.ts'
import { invalid, type Refusal } from '../errors.ts'
import type { TemplateCache } from '../templates/cache.ts'
import { matchTemplate, type TemplateMatch } from '../templates/match.ts'
import { renderTemplate } from '../templates/render.ts'
import type { RequestedContent } from './request.ts'

export type Composition =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly refusal: Refusal }

/** Turns what is asked for into what the upstream takes, with every check that can be made before anything is sent. */
export async function compose(
  parts: { read: StoreReads; templates: TemplateCache },
  line: Line,
  asked: RequestedContent,
): Promise<Composition> {
  if (asked.type === 'text') return { ok: true, content: { type: 'text', text: { body: asked.body } } }

  if (asked.type === 'interactive') return { ok: true, content: { type: 'interactive', interactive: asked.payload } }

  const records = await parts.read.templatesNamed({ channelId: line.channelId, name: asked.name })
  const match = matchTemplate(
    records.filter(record => record.status !== 'DELETED'),
    asked.name,
    asked.language,
  )
  if (match.kind !== 'found') return { ok: false, refusal: noTemplate(match) }
  const { template } = match
  if (asked.components) {
    // Untouched, and so is the language: it must equal the approved one exactly, which the upstream judges.
    const code = asked.language ?? template.language
    return { ok: true, content: templateContent(template, code, asked.components) }
  }
  const rendered = renderTemplate(parts.templates.shape(template), asked.values)
  if (!rendered.ok) return { ok: false, refusal: invalid(rendered.issues) }
  return { ok: true, content: templateContent(template, template.language, rendered.components) }
}

/** `components` is left out when the template leaves nothing open. */
const templateContent = (template: Template, code: string, components: readonly unknown[]): Content => ({
  type: 'template',
  template: { name: template.name, language: { code }, ...(components.length > 0 && { components }) },
})

function noTemplate(match: Exclude<TemplateMatch<Template>, { kind: 'found' }>): Refusal {
  switch (match.kind) {
    case 'unknownName':
      return { reason: 'NOT_FOUND', message: 'The chosen line has no template named like templateName.' }
    case 'unknownLanguage':
      return {
        reason: 'NOT_FOUND',
        message: `The template does not exist in templateLanguage; it exists in ${match.languages.join(', ')}.`,
        details: { languages: match.languages },
      }
    case 'notApproved':
      return {
        reason: 'TEMPLATE_NOT_APPROVED',
        message: `The template is not approved: its status is ${match.status}.`,
        details: { status: match.status },
      }
    case 'ambiguousLanguage':
      return {
        ...invalid([
          {
            path: '/templateLanguage',
            message: `must name one of the template's languages: ${match.languages.join(', ')}`,
          },
        ]),
      }
  }
}
